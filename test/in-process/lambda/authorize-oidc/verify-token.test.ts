import { createHmac } from 'node:crypto';
import { globalAgent } from 'node:https';
import { afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { configurationUrl } from '../../../../lambda/authorize-oidc/issuer-keys.ts';
import { tokenVerifier, type VerifyToken } from '../../../../lambda/authorize-oidc/verify-token.ts';
import {
  type Behavior,
  ecKey,
  type Issuer,
  jwt,
  rsaKey,
  type SigningKey,
  startIssuer,
} from '../../../support/servers/issuer.ts';

const HOUR = 3600;
const now = Math.floor(Date.now() / 1000);

let issuer: Issuer;
let published: SigningKey[];
let verify: VerifyToken;
beforeAll(async () => {
  issuer = await startIssuer();
  globalAgent.options.ca = issuer.certificate;
  published = issuer.keys;
});

afterEach(() => {
  jest.restoreAllMocks();
});

/** Each test starts with a new verifier that has no cached keys, as after a cold start. */
beforeEach(() => {
  issuer.behavior = 'well';
  issuer.malformedKeys = [];
  issuer.keys = published;
  verify = tokenVerifier(issuer.url, 'plant-store');
});

/** Valid claims with the given changes; undefined removes a claim. */
function claims(changes: Record<string, unknown> = {}): Record<string, unknown> {
  const times = { iat: now, exp: now + HOUR };
  return { iss: issuer.url, aud: 'plant-store', sub: 'me', ...times, ...changes };
}

function key(kid: string): SigningKey {
  const found = issuer.keys.find((one) => one.kid === kid);
  if (found === undefined) throw new Error(`no key ${kid}`);
  return found;
}

const rsa = (changes?: Record<string, unknown>, header?: Record<string, unknown>) =>
  key('rsa-1').sign(claims(changes), header);
const ec = () => key('ec-1').sign(claims());

describe('tokenVerifier', () => {
  test.each<[string, () => string]>([
    ['is signed with an RSA key', () => rsa()],
    ['is signed with an EC key', () => ec()],
    ['has several audiences, including this service', () => rsa({ aud: ['a', 'plant-store'] })],
    ['expired 5 s ago, by a clock that may be wrong', () => rsa({ exp: now - 5 })],
  ])('accepts a token that %s', async (_what, token) => {
    jest.spyOn(Date, 'now').mockReturnValue(now * 1_000);
    await expect(verify(token())).resolves.toMatchObject({ sub: 'me' });
  });

  test.each<[string, () => string]>([
    ['expired 6 s ago', () => rsa({ exp: now - 6 })],
    ['is not valid yet', () => rsa({ nbf: now + HOUR })],
    ['never expires', () => rsa({ exp: undefined })],
    ['is from a different issuer', () => rsa({ iss: 'https://impostor.example' })],
    ['has the issuer’s URL with an extra trailing slash', () => rsa({ iss: `${issuer.url}/` })],
    ['is for a different audience', () => rsa({ aud: 'animal-store' })],
    ['has no subject', () => rsa({ sub: undefined })],
    ['has an empty subject', () => rsa({ sub: '' })],
    ['is signed with a key that is not the issuer’s', () => rsaKey('rsa-1').sign(claims())],
    [
      'names one of the issuer’s keys but is signed with the other key',
      () => rsa({}, { kid: 'ec-1' }),
    ],
    ['has a signature that no EC key can produce', () => ec().replace(/[^.]+$/, 'AAAA')],
    ['names no key', () => rsa({}, { kid: undefined })],
    ['has the alg "none" and no signature', () => rsa({}, { alg: 'none' }).replace(/[^.]+$/, '')],
    ['has the alg HS256, and uses the public key as the secret', () => hs256(key('rsa-1'))],
    ['has an unknown algorithm', () => rsa({}, { alg: '__proto__' })],
    ['has 3 parts that are not JSON in base64url', () => 'abc.def.ghi'],
    ['is empty', () => ''],
    ['needs an extension (crit)', () => rsa({}, { crit: ['exp'], exp: now + HOUR })],
  ])('rejects a token that %s', async (_what, token) => {
    await expect(verify(token())).resolves.toBeUndefined();
  });

  test('fetches the keys only once for several tokens with unknown keys, and still accepts a valid token', async () => {
    await verify(rsa());
    const before = issuer.fetches;
    for (const kid of ['a', 'b', 'c', 'd']) {
      await expect(verify(rsa({}, { kid }))).resolves.toBeUndefined();
    }
    expect(issuer.fetches - before).toBe(1);
    await expect(verify(ec())).resolves.toMatchObject({ sub: 'me' });
  });

  test('immediately accepts a token signed with a key that the issuer has just added', async () => {
    await verify(rsa());
    issuer.keys = [...published, ecKey('ec-2')];
    const token = key('ec-2').sign(claims());
    await expect(verify(token)).resolves.toMatchObject({ sub: 'me' });
  });

  test('accepts a token even if the issuer also publishes malformed keys', async () => {
    issuer.malformedKeys = [null, {}, { kty: 5 }, { kty: 'RSA', kid: 'rsa-1', n: [] }];
    await expect(verify(rsa())).resolves.toMatchObject({ sub: 'me' });
  });

  test('rejects a token that names a malformed key', async () => {
    issuer.malformedKeys = [{ kty: 'EC', kid: 'malformed', x: 5 }];
    await expect(verify(ecKey('malformed').sign(claims()))).resolves.toBeUndefined();
  });

  test('throws an error if the key that a token names is incomplete', async () => {
    issuer.malformedKeys = [{ kty: 'RSA', kid: 'rsa-1', e: 'AQAB' }];
    await expect(verify(rsa())).rejects.toThrow('Missing modulus (n)');
  });

  test.each<[string, Behavior, RegExp]>([
    // With a retry of each of two requests, the timeout allows four seconds.
    ['does not respond', 'slow', /time-out \(after 1000 ms/],
    ['returns a 503', 'failing', /503/],
    ['returns HTML', 'garbage', /JSON/],
    [
      'names a different issuer in its configuration',
      'impostor',
      /must contain the same issuer, got "https:\/\/impostor\.example"$/,
    ],
    [
      'has an http URL for its keys',
      'insecure keys',
      /the jwks_uri of \S+ must start with https:\/\/$/,
    ],
    [
      'does not return an array of keys',
      'no key set',
      /^the jwks_uri of .* must return a JSON Web Key Set$/,
    ],
    ['has no URL for its keys', 'no keys', /the jwks_uri of \S+ must start with https:\/\/$/],
  ])(
    'throws an error if the issuer %s',
    async (_what, behavior, message) => {
      issuer.behavior = behavior;
      await expect(verify(rsa())).rejects.toThrow(message);
      issuer.behavior = 'well';
      await expect(verify(rsa())).resolves.toMatchObject({ sub: 'me' });
    },
    4_000,
  );
});

test('tokenVerifier throws an error if the issuer publishes an invalid key', async () => {
  const signed = key('ec-1');
  const token = ec();
  issuer.keys = [{ ...signed, jwk: { ...signed.jwk, y: 'AAAA' } }];
  await expect(verify(token)).rejects.toMatchObject({ code: 'ERR_CRYPTO_INVALID_JWK' });
});

test('tokenVerifier accepts a withdrawn key for at most an hour', async () => {
  const start = Date.now();
  const clock = jest.spyOn(Date, 'now').mockReturnValue(start);
  verify = tokenVerifier(issuer.url, 'plant-store');
  const withdrawn = key('rsa-1').sign(claims({ exp: now + 2 * HOUR }));
  const kept = key('ec-1').sign(claims({ exp: now + 2 * HOUR }));
  await expect(verify(withdrawn)).resolves.toMatchObject({ sub: 'me' });
  issuer.keys = issuer.keys.filter(({ kid }) => kid !== 'rsa-1');

  clock.mockReturnValue(start + HOUR * 1000);
  await expect(verify(withdrawn)).resolves.toMatchObject({ sub: 'me' });
  clock.mockReturnValue(start + HOUR * 1000 + 1);
  await expect(verify(withdrawn)).resolves.toBeUndefined();
  const { fetches } = issuer;
  await expect(verify(kept)).resolves.toMatchObject({ sub: 'me' });
  expect(issuer).toMatchObject({ fetches });
});

test.each(['https://a.example/tenant', 'https://a.example/tenant/'])(
  'configurationUrl ends with the well-known path for %s',
  (url) => {
    expect(configurationUrl(url)).toBe('https://a.example/tenant/.well-known/openid-configuration');
  },
);

/**
 * A verifier that lets the token choose the algorithm would accept this token, although anyone can sign it with the
 * public key.
 */
function hs256({ kid, publicKey }: SigningKey): string {
  const secret = publicKey.export({ format: 'pem', type: 'spki' });
  const sign = (input: Buffer) => createHmac('sha256', secret).update(input).digest();
  return jwt({ alg: 'HS256', kid }, claims(), sign);
}
