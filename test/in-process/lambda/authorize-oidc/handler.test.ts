import { describe, expect, test } from '@jest/globals';
import { authorizeOidcHandler } from '../../../../lambda/authorize-oidc/handler.ts';
import type { VerifyToken } from '../../../../lambda/authorize-oidc/verify-token.ts';

describe('authorizeOidcHandler', () => {
  const methodArn = 'arn:aws:execute-api:us-east-1:123456789012:api/dev/POST/plants';
  const authorize = (verify: VerifyToken, scope?: string) =>
    authorizeOidcHandler({ verify, scope })({
      type: 'TOKEN',
      authorizationToken: 'Bearer jwt',
      methodArn,
    });

  test.each([
    ['Allow', 'has the required scope', { scope: 'a:b' }, 'a:b'],
    ['Deny', 'has a different scope', { scope: 'a:c' }, 'a:b'],
    ['Allow', 'has no scope, if none is required', {}, undefined],
  ])('returns %s for a valid token that %s', async (Effect, _what, claims, scope) => {
    const verified: string[] = [];
    const verify: VerifyToken = async (jwt) => {
      verified.push(jwt);
      return { sub: 'me', ...claims };
    };
    await expect(authorize(verify, scope)).resolves.toMatchObject({
      principalId: 'me',
      policyDocument: { Statement: [{ Effect, Resource: expect.stringMatching(/api\/dev\/\*$/) }] },
    });
    expect(verified).toEqual(['jwt']);
  });

  test('throws Unauthorized if the token is invalid, and the error of the check if it fails', async () => {
    await expect(authorize(async () => undefined)).rejects.toThrow(/^Unauthorized$/);
    const failed = new Error('the issuer does not respond');
    await expect(authorize(() => Promise.reject(failed))).rejects.toBe(failed);
  });
});
