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

/** As after a cold start: no key is cached. */
beforeEach(() => {
  issuer.behaviour = 'well';
  issuer.malformedKeys = [];
  authorize = authorizerFor('plants:write');
});

function claimsWith(changes: object = {}) {
  return {
    iss: issuer.url,
    aud: 'plant-store',
    sub: 'me',
    exp: inAnHour,
    scope: 'plants:write',
    ...changes,
  };
}

function token(changes: object = {}): string {
  return `Bearer ${issuer.keys[0]?.sign(claimsWith(changes))}`;
}

describe('the authorize-oidc handler', () => {
  test('allows a token with the scope', async () => {
    await expect(authorize(token())).resolves.toMatchObject({
      principalId: 'me',
      policyDocument: { Statement: [{ Effect: 'Allow', Resource: expect.stringMatching(/api\/dev\/\*$/) }] },
    });
  });

  test.each([{ scope: 'plants:read' }, { scope: undefined }])('denies a token with %j', async (claims) => {
    await expect(authorize(token(claims))).resolves.toMatchObject({
      policyDocument: { Statement: [{ Effect: 'Deny' }] },
    });
  });

  test.each([
    ['another audience', { aud: 'others' }],
    ['another issuer', { iss: 'https://impostor.example' }],
    ['an expiry in the past', { exp: inAnHour - 7200 }],
    ['no expiry', { exp: undefined }],
    ['no subject', { sub: undefined }],
    ['an empty subject', { sub: '' }],
  ])('rejects a token with %s', async (_what, claims) => {
    await expect(authorize(token(claims))).rejects.toThrow(/^Unauthorized$/);
  });

  test('rejects a signature that no EC key can have made', async () => {
    const signed =
      issuer.keys[1]?.sign({ iss: issuer.url, aud: 'plant-store', sub: 'me', exp: inAnHour }) ?? '';
    const [head, payload] = signed.split('.');
    await expect(authorize(`Bearer ${head}.${payload}.AAAA`)).rejects.toThrow(/^Unauthorized$/);
  });

  test('rejects a malformed token and one that an unknown key signed', async () => {
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

  test.each([{ crit: ['exp'], exp: inAnHour }, { crit: ['b64'], b64: true }, { crit: [] }, { crit: null }])(
    'rejects a token whose header is extended by %j',
    async (header) => {
      const signed = issuer.keys[0]?.sign(claimsWith(), header);
      await expect(authorize(`Bearer ${signed}`)).rejects.toThrow(/^Unauthorized$/);
    },
  );

  test('allows a token although the issuer also publishes malformed keys', async () => {
    issuer.malformedKeys = [
      null,
      'key',
      {},
      { kty: 5 },
      { kty: 'RSA', kid: 5 },
      { kty: 'RSA', kid: 'rsa-1', n: [] },
    ];
    await expect(authorize(token())).resolves.toMatchObject({ principalId: 'me' });
  });

  test('rejects a token that names a malformed key', async () => {
    issuer.malformedKeys = [{ kty: 'EC', kid: 'malformed', x: 5 }];
    await expect(authorize(`Bearer ${ecKey('malformed').sign(claimsWith())}`)).rejects.toThrow(
      /^Unauthorized$/,
    );
  });

  test('throws an error other than Unauthorized if the key that a token names is incomplete', async () => {
    issuer.malformedKeys = [{ kty: 'RSA', kid: 'rsa-1', e: 'AQAB' }];
    await expect(authorize(token())).rejects.toThrow('Missing modulus (n)');
  });

  test('allows a token without a scope if none is required', async () => {
    await expect(authorizerFor(undefined)(token({ scope: undefined }))).resolves.toMatchObject({
      policyDocument: { Statement: [{ Effect: 'Allow' }] },
    });
  });

  test.each<[Behaviour, RegExp]>([
    ['slow', /time-out/],
    ['dead', /hang up|ECONNRESET/],
    ['failing', /503/],
    ['garbage', /JSON/],
    ['impostor', /is for "https:\/\/impostor\.example"$/],
    ['insecure keys', /has no https jwks_uri$/],
    ['no key set', /^the jwks_uri of the issuer .* has no keys$/],
    ['no keys', /has no https jwks_uri$/],
  ])(
    'throws an error other than Unauthorized if the issuer is %s',
    async (behaviour, message) => {
      issuer.behaviour = behaviour;
      await expect(authorize(token())).rejects.toThrow(message);
      issuer.behaviour = 'well';
      await expect(authorize(token())).resolves.toMatchObject({ principalId: 'me' });
    },
    4_000,
  );
});

test('the authorize-oidc handler throws an error other than Unauthorized if the issuer publishes an invalid key', async () => {
  const published = issuer.keys;
  const [, ec] = published;
  const signed = ec?.sign({ iss: issuer.url, aud: 'plant-store', sub: 'me', exp: inAnHour }) ?? '';
  const offTheCurve = ec && { ...ec, jwk: { ...ec.jwk, y: 'AAAA' } };
  issuer.keys = offTheCurve ? [offTheCurve] : [];
  await expect(authorize(`Bearer ${signed}`)).rejects.toMatchObject({ code: 'ERR_CRYPTO_INVALID_JWK' });
  issuer.keys = published;
});

test('configurationUrl accepts an issuer with or without a trailing slash', () => {
  const expected = 'https://a.example/tenant/.well-known/openid-configuration';
  expect(configurationUrl('https://a.example/tenant')).toBe(expected);
  expect(configurationUrl('https://a.example/tenant/')).toBe(expected);
});
