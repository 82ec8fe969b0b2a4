import { globalAgent } from 'node:https';
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { tokenVerifier } from '../../../lambda/authorize-oidc/verify-token.ts';
import { type Issuer, startIssuer } from '../../support/issuer.ts';

const MINUTE_MS = 60 * 1000;

let issuer: Issuer;
beforeAll(async () => {
  issuer = await startIssuer();
  globalAgent.options.ca = issuer.certificate;
});
afterEach(() => {
  jest.restoreAllMocks();
});
afterAll(() => issuer.stop());

test('tokenVerifier accepts a key that the issuer has withdrawn for an hour, and not longer', async () => {
  const start = Date.now();
  const clock = jest.spyOn(Date, 'now').mockReturnValue(start);
  const claims = { iss: issuer.url, aud: 'plants', sub: 's', exp: start / 1000 + 7200 };
  const [withdrawn, kept] = issuer.keys;
  const verify = tokenVerifier(issuer.url, 'plants');
  const token = withdrawn?.sign(claims) ?? '';
  await expect(verify(token)).resolves.toMatchObject({ sub: 's' });
  issuer.keys = issuer.keys.slice(1);

  clock.mockReturnValue(start + 60 * MINUTE_MS);
  await expect(verify(token)).resolves.toMatchObject({ sub: 's' });
  clock.mockReturnValue(start + 60 * MINUTE_MS + 1);
  await expect(verify(token)).resolves.toBeUndefined();
  await expect(verify(kept?.sign(claims) ?? '')).resolves.toMatchObject({ sub: 's' });
});
