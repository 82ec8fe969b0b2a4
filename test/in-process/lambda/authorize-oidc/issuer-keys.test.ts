import { expect, test } from '@jest/globals';
import { configurationUrl } from '../../../../lambda/authorize-oidc/issuer-keys.ts';

test.each(['https://a.example/tenant', 'https://a.example/tenant/'])(
  'configurationUrl ends with the well-known path for %s',
  (url) => {
    expect(configurationUrl(url)).toBe('https://a.example/tenant/.well-known/openid-configuration');
  },
);
