import { describe, expect, test } from '@jest/globals';
import { Match } from 'aws-cdk-lib/assertions';
import { stackTemplate } from './stack-template.ts';

const oidc = { oidcIssuer: 'https://id.example/tenant', oidcAudience: 'plant-store' };

function authorizer(context: Record<string, string>) {
  const [found] = Object.values(stackTemplate(context).findResources('AWS::ApiGateway::Authorizer'));
  return found?.Properties;
}

describe('authorizerCacheSeconds', () => {
  test.each(['0', '1', '300', '3600'])('%s is the TTL of cached authorizer results', (seconds) => {
    const expected = { AuthorizerResultTtlInSeconds: Number(seconds) };
    expect(authorizer({ authorizerCacheSeconds: seconds })).toMatchObject(expected);
    expect(authorizer({ ...oidc, authorizerCacheSeconds: seconds })).toMatchObject(expected);
  });

  test.each(['3601', '-1', '1.5', '1e2', '', ' ', 'a minute', '60s'])(
    '%p is rejected at synth',
    (seconds) => {
      expect(() => stackTemplate({ authorizerCacheSeconds: seconds })).toThrow(
        /authorizerCacheSeconds must be/,
      );
    },
  );
});

describe('an OpenID Connect provider', () => {
  test('is rejected at synth with only one of issuer and audience', () => {
    const { oidcIssuer, oidcAudience } = oidc;
    for (const half of [
      { oidcIssuer },
      { oidcAudience },
      { oidcScope: 'a' },
      { oidcIssuer, oidcScope: 'a' },
    ]) {
      expect(() => stackTemplate(half)).toThrow('requires both oidcIssuer and oidcAudience');
    }
  });

  test.each([
    'http://id.example',
    'id.example',
    'https://',
    'https://a b',
    'https://x?y',
    'https://x#y',
    'https://u@x',
  ])('is rejected with the issuer %s', (oidcIssuer) => {
    expect(() => stackTemplate({ ...oidc, oidcIssuer })).toThrow(/oidcIssuer must be an https URL/);
  });

  test.each(['oidcIssuer', 'oidcAudience', 'oidcScope'])('is rejected with an empty %s', (name) => {
    expect(() => stackTemplate({ ...oidc, [name]: '' })).toThrow(new RegExp(`${name} must be .*; got ""`));
  });

  test.each(['a b', 'a"b', 'ä'])('is rejected with the scope %s', (oidcScope) => {
    expect(() => stackTemplate({ ...oidc, oidcScope })).toThrow(/oidcScope must be one scope/);
  });

  test('replaces the access tokens with a function that is configured for it', () => {
    const template = stackTemplate({ ...oidc, oidcScope: 'plants:write' });
    template.hasResourceProperties('AWS::Lambda::Function', {
      Environment: {
        Variables: Match.objectLike({
          OIDC_ISSUER: oidc.oidcIssuer,
          OIDC_AUDIENCE: oidc.oidcAudience,
          OIDC_SCOPE: 'plants:write',
        }),
      },
    });
    expect(JSON.stringify(template.findResources('AWS::Lambda::Function'))).not.toContain('TOKENS_TABLE');
  });

  const { IdentityValidationExpression } = authorizer(oidc);
  test.each(['Bearer aA0-_.aA0-_.aA0-_', 'bearer  e.y.J'])('passes %s to the function', (header) => {
    expect(header).toMatch(new RegExp(IdentityValidationExpression));
  });

  test.each([
    'Bearer a.b',
    'Bearer a.b.',
    'Bearer a.b.c.d',
    'Bearer a.b.c=',
    'Basic a.b.c',
    'a.b.c',
    'Bearer a,b,c',
  ])('rejects %s without invoking the function', (header) => {
    expect(header).not.toMatch(new RegExp(IdentityValidationExpression));
  });

  test('leaves the tables unchanged when it is turned on or off', () => {
    for (const stage of ['dev', 'prod']) {
      const tables = (context: Record<string, string>) =>
        stackTemplate({ stage, ...context }).findResources('AWS::DynamoDB::GlobalTable');
      expect(tables(oidc)).toEqual(tables({}));
    }
  });
});
