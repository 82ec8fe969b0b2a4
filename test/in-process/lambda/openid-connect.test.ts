import { globalAgent } from 'node:https';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createHandler } from '../../../lambda/authorize-oidc/handler.ts';
import { configurationUrl } from '../../../lambda/authorize-oidc/issuer-keys.ts';
import { tokenVerifier } from '../../../lambda/authorize-oidc/verify-token.ts';
import { type Behaviour, type Issuer, startIssuer } from '../../support/issuer.ts';
import { ecKey } from '../../support/signing-key.ts';

const methodArn = 'arn:aws:execute-api:us-east-1:123456789012:api/dev/POST/plants';
const inAnHour = Math.floor(Date.now() / 1000) + 3600;

let issuer: Issuer;
let authorize: (authorizationToken: string) => Promise<unknown>;
beforeAll(async () => {
  issuer = await startIssuer();
  globalAgent.options.ca = issuer.certificate;
});
afterAll(() => issuer.stop());

const authorizerFor = (scope: string | undefined) => {
  const handle = createHandler({ verify: tokenVerifier(issuer.url, 'plant-store'), scope });
  return (authorizationToken: string) => handle({ type: 'TOKEN', authorizationToken, methodArn });
};

/** As it is after a cold start: it knows no key. */
beforeEach(() => {
  issuer.behaviour = 'well';
  authorize = authorizerFor('plants:write');
});

function token(claims: object = {}): string {
  const all = {
    iss: issuer.url,
    aud: 'plant-store',
    sub: 'me',
    exp: inAnHour,
    scope: 'plants:write',
    ...claims,
  };
  return `Bearer ${issuer.keys[0]?.sign(all)}`;
}

describe('the authorizer of OpenID Connect', () => {
  test('allows the stage to a token with the scope', async () => {
    await expect(authorize(token())).resolves.toMatchObject({
      principalId: 'me',
      policyDocument: { Statement: [{ Effect: 'Allow', Resource: expect.stringMatching(/api\/dev\/\*$/) }] },
    });
  });

  test.each([{ scope: 'plants:read' }, { scope: undefined }])('denies it to one with %j', async (claims) => {
    await expect(authorize(token(claims))).resolves.toMatchObject({
      policyDocument: { Statement: [{ Effect: 'Deny' }] },
    });
  });

  test.each([
    ['an audience that is another', { aud: 'others' }],
    ['an issuer that is another', { iss: 'https://impostor.example' }],
    ['a past', { exp: inAnHour - 7200 }],
    ['no end', { exp: undefined }],
    ['no subject', { sub: undefined }],
    ['an empty subject', { sub: '' }],
  ])('refuses one with %s', async (_what, claims) => {
    await expect(authorize(token(claims))).rejects.toThrow(/^Unauthorized$/);
  });

  test('refuses one whose signature no key of its kind can have made', async () => {
    const signed =
      issuer.keys[1]?.sign({ iss: issuer.url, aud: 'plant-store', sub: 'me', exp: inAnHour }) ?? '';
    const [head, payload] = signed.split('.');
    await expect(authorize(`Bearer ${head}.${payload}.AAAA`)).rejects.toThrow(/^Unauthorized$/);
  });

  test('refuses what is no token, or was signed by nobody known', async () => {
    const strange = ecKey('ec-1').sign({ iss: issuer.url, aud: 'plant-store', sub: 'me', exp: inAnHour });
    for (const text of [
      '',
      'Bearer',
      'Bearer x.y.z',
      `${token()}x`,
      `Bearer ${strange}`,
      `${token().slice(0, -9)}`,
    ]) {
      await expect(authorize(text)).rejects.toThrow(/^Unauthorized$/);
    }
  });

  test('allows it to one without a scope, where none is asked for', async () => {
    await expect(authorizerFor(undefined)(token({ scope: undefined }))).resolves.toMatchObject({
      policyDocument: { Statement: [{ Effect: 'Allow' }] },
    });
  });

  test.each<[Behaviour, RegExp]>([
    ['slow', /time-out/],
    ['dead', /hang up|ECONNRESET/],
    ['failing', /503/],
    ['garbage', /JSON/],
    ['impostor', /says that it is "https:\/\/impostor\.example"$/],
    ['insecure keys', /has no https jwks_uri$/],
    ['no keys', /has no https jwks_uri$/],
  ])(
    'neither allows nor refuses where the issuer is %s',
    async (behaviour, message) => {
      issuer.behaviour = behaviour;
      await expect(authorize(token())).rejects.toThrow(message);
      issuer.behaviour = 'well';
      await expect(authorize(token())).resolves.toMatchObject({ principalId: 'me' });
    },
    4_000,
  );
});

test('a token is not to blame for a key that its issuer published wrong', async () => {
  const published = issuer.keys;
  const [, ec] = published;
  const signed = ec?.sign({ iss: issuer.url, aud: 'plant-store', sub: 'me', exp: inAnHour }) ?? '';
  const offTheCurve = ec && { ...ec, jwk: { ...ec.jwk, y: 'AAAA' } };
  issuer.keys = offTheCurve ? [offTheCurve] : [];
  await expect(authorize(`Bearer ${signed}`)).rejects.toMatchObject({ code: 'ERR_CRYPTO_INVALID_JWK' });
  issuer.keys = published;
});

test('the configuration of an issuer is below its address, with a slash at its end or without', () => {
  const expected = 'https://a.example/tenant/.well-known/openid-configuration';
  expect(configurationUrl('https://a.example/tenant')).toBe(expected);
  expect(configurationUrl('https://a.example/tenant/')).toBe(expected);
});
