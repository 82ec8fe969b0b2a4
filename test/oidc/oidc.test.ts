import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { templateFile } from '../../lib/names.ts';
import type { Resource } from '../support/changed-assembly.ts';
import { type Issuer, startIssuer } from '../support/issuer.ts';
import { jwt } from '../support/jwt.ts';
import { ecKey, rsaKey, type SigningKey } from '../support/signing-key.ts';
import { synthesizedAssembly } from '../support/synthesized-assembly.ts';
import {
  AUDIENCE,
  type OidcAssembly,
  type OidcService,
  SCOPE,
  startOidcService,
  synthesizeForOidc,
} from './oidc-service.ts';

const HOUR = 3600;

jest.setTimeout(60_000);

let issuer: Issuer;
let assembly: OidcAssembly;
beforeAll(async () => {
  issuer = await startIssuer();
  assembly = await synthesizeForOidc(issuer);
});
afterAll(async () => {
  await issuer.stop();
  await assembly.remove();
});

/** The claims of a client that is allowed to create plants, with changes; undefined removes a claim. */
function claims(changes: Record<string, unknown> = {}): Record<string, unknown> {
  const now = Math.floor(Date.now() / 1000);
  return {
    iss: issuer.url,
    aud: AUDIENCE,
    sub: 'gardener-7',
    client_id: 'greenhouse',
    scope: `openid ${SCOPE}`,
    iat: now,
    exp: now + HOUR,
    ...changes,
  };
}

function key(kid: string): SigningKey {
  const found = issuer.keys.find((one) => one.kid === kid);
  if (found === undefined) throw new Error(`no key ${kid}`);
  return found;
}

describe('the OpenID Connect authorizer', () => {
  let service: OidcService;
  beforeAll(async () => {
    service = await startOidcService(assembly);
  });
  afterAll(() => service.stop());

  const now = Math.floor(Date.now() / 1000);

  test.each<[string, () => string]>([
    ['signed with the issuer’s RSA key', () => key('rsa-1').sign(claims())],
    ['signed with the issuer’s EC key', () => key('ec-1').sign(claims())],
    ['for several audiences, including ours', () => key('rsa-1').sign(claims({ aud: ['a', AUDIENCE] }))],
    [
      'with the scope in scp, as an array',
      () => key('rsa-1').sign(claims({ scope: undefined, scp: [SCOPE] })),
    ],
    [
      'with the scope in scp, as a string',
      () => key('rsa-1').sign(claims({ scope: undefined, scp: `a ${SCOPE}` })),
    ],
  ])('accepts a token %s', async (_, token) => {
    await expect(service.create(token())).resolves.toMatchObject({ status: 200, body: { name: 'Ficus' } });
  });

  test.each<[string, () => string]>([
    ['no scope', () => key('rsa-1').sign(claims({ scope: undefined }))],
    ['only other scopes', () => key('ec-1').sign(claims({ scope: `${SCOPE}d plants read` }))],
    ['only other scopes, in scp', () => key('ec-1').sign(claims({ scope: undefined, scp: ['plants:read'] }))],
  ])('rejects a token with %s, with 403 and error 2403', async (_, token) => {
    const { status, body } = await service.create(token());
    expect([status, body.error]).toEqual([403, 2403]);
  });

  test.each<[string, () => string]>([
    ['has expired', () => key('rsa-1').sign(claims({ exp: now - 60 }))],
    ['is not valid yet', () => key('rsa-1').sign(claims({ nbf: now + HOUR }))],
    ['never expires', () => key('rsa-1').sign(claims({ exp: undefined }))],
    ['is from another issuer', () => key('rsa-1').sign(claims({ iss: 'https://impostor.example' }))],
    ['is from the issuer with a trailing slash', () => key('rsa-1').sign(claims({ iss: `${issuer.url}/` }))],
    ['has no issuer', () => key('rsa-1').sign(claims({ iss: undefined }))],
    ['is for another audience', () => key('rsa-1').sign(claims({ aud: 'animal-store' }))],
    ['has no audience', () => key('rsa-1').sign(claims({ aud: undefined }))],
    ['has no subject', () => key('rsa-1').sign(claims({ sub: undefined }))],
    ['lacks the scope and has expired', () => key('rsa-1').sign(claims({ scope: 'a', exp: now - 60 }))],
    ['is signed with a key that is not the issuer’s', () => rsaKey('rsa-1').sign(claims())],
    ['is signed with an EC key that is not the issuer’s', () => ecKey('ec-1').sign(claims())],
    [
      'is signed with another key of the issuer than it names',
      () => key('rsa-1').sign(claims(), { kid: 'ec-1' }),
    ],
    [
      'is signed with a key of another type than it names',
      () => key('ec-1').sign(claims(), { kid: 'rsa-1' }),
    ],
    ['has a signature that no EC key can make', () => `${key('ec-1').sign(claims())}AAAA`],
    ['names no key', () => key('rsa-1').sign(claims(), { kid: undefined })],
    ['has alg none and no signature', () => unsigned('none', '')],
    ['has alg none and a signature', () => key('rsa-1').sign(claims(), { alg: 'none' })],
    ['has alg None and an arbitrary signature', () => unsigned('None', 'x')],
    ['has alg HS256, with the public key as the secret', () => hs256(key('rsa-1'))],
    ['has another algorithm than its key', () => key('rsa-1').sign(claims(), { alg: 'ES256', kid: 'ec-1' })],
    ['has alg EdDSA for an RSA key', () => key('ec-1').sign(claims(), { alg: 'EdDSA', kid: 'rsa-1' })],
    ['has alg EdDSA for an EC key', () => key('rsa-1').sign(claims(), { alg: 'EdDSA', kid: 'ec-1' })],
    ['has an unknown algorithm', () => key('rsa-1').sign(claims(), { alg: '__proto__' })],
    ['has a critical extension', () => key('rsa-1').sign(claims(), { crit: ['x'], x: 1 })],
    ['has a changed payload', () => tampered(key('rsa-1').sign(claims({ scope: 'a' })), claims())],
    ['has three parts that are not base64url JSON', () => 'abc.def.ghi'],
    ['has two parts', () => 'abc.def'],
    ['is an access token of the service', () => `plantstore_${'0'.repeat(16)}_${'0'.repeat(64)}`],
  ])('rejects a token that %s, with 401 and error 2401', async (_, token) => {
    const { status, body, headers } = await service.create(token());
    expect([status, body.error]).toEqual([401, 2401]);
    expect(headers['www-authenticate']).toMatch(/^Bearer /);
  });

  test('rejects a token that names an unknown key, and accepts the next valid token', async () => {
    const { status, body } = await service.create(rsaKey('guessed').sign(claims()));
    expect([status, body.error]).toEqual([401, 2401]);
    await expect(service.create(key('ec-1').sign(claims({ jti: '2' })))).resolves.toMatchObject({
      status: 200,
    });
  });

  test('fetches the keys at most once for several tokens that name unknown keys', async () => {
    const before = issuer.fetches;
    for (const kid of ['a', 'b', 'c', 'd']) await service.create(rsaKey(kid).sign(claims()));
    expect(issuer.fetches - before).toBeLessThanOrEqual(1);
  });

  test('logs the subject and the client of the token in each function', async () => {
    await service.create(key('rsa-1').sign(claims({ jti: 'known' })));
    const lines = service.log.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
    for (const name of ['authorize', 'create-plant']) {
      expect(lines).toContainEqual(
        expect.objectContaining({ service: name, principal: 'gardener-7', client: 'greenhouse' }),
      );
    }
  });

  test('never logs a part of a token', async () => {
    const tokens = [
      key('rsa-1').sign(claims({ jti: 'logged?' })),
      key('rsa-1').sign(claims({ exp: 1 })),
      'x.y.z',
    ];
    for (const token of tokens) await service.create(token);
    const log = service.log.join('\n');
    for (const part of tokens.flatMap((token) => token.split('.')).filter(({ length }) => length > 1)) {
      expect(log).not.toContain(part);
    }
    expect(log).not.toMatch(/bearer/i);
  });
});

describe('the OpenID Connect authorizer, when the issuer changes or fails,', () => {
  let service: OidcService;
  beforeEach(async () => {
    service = await startOidcService(assembly);
  });
  afterEach(async () => {
    issuer.behaviour = 'well';
    await service.stop();
  });

  test('accepts a new key at once, and still accepts the old keys', async () => {
    await expect(service.create(key('rsa-1').sign(claims()))).resolves.toMatchObject({ status: 200 });
    issuer.keys = [...issuer.keys, rsaKey('rsa-2')];

    await expect(service.create(key('rsa-2').sign(claims()))).resolves.toMatchObject({ status: 200 });
    await expect(service.create(key('ec-1').sign(claims()))).resolves.toMatchObject({ status: 200 });
  });

  test.each([
    ['is down', 'dead'],
    ['fails', 'failing'],
    ['returns garbage', 'garbage'],
    ['names another issuer', 'impostor'],
    ['publishes its keys over HTTP', 'insecure keys'],
    ['is slow', 'slow'],
  ] as const)(
    'returns 500 with error 2500 if the issuer %s, and accepts the token once it recovers',
    async (_, behaviour) => {
      issuer.behaviour = behaviour;
      const token = key('rsa-1').sign(claims());
      const { status, body } = await service.create(token);
      expect([status, body.error]).toEqual([500, 2500]);

      issuer.behaviour = 'well';
      await expect(service.create(token)).resolves.toMatchObject({ status: 200 });
    },
  );

  test('accepts a token while the issuer is down if its key is cached', async () => {
    await expect(service.create(key('rsa-1').sign(claims()))).resolves.toMatchObject({ status: 200 });
    issuer.behaviour = 'dead';
    await expect(service.create(key('ec-1').sign(claims()))).resolves.toMatchObject({ status: 200 });
  });
});

test('the bundle of each authorizer has no code of the other', async () => {
  const accessTokens = await authorizerCode(synthesizedAssembly());
  const provider = await authorizerCode(assembly.folder);

  expect(accessTokens).toMatch(/plantstore_/);
  expect(accessTokens).toMatch(/DynamoDB/);
  expect(accessTokens).not.toMatch(/openid-configuration|jwks/i);
  expect(provider).toMatch(/openid-configuration/);
  expect(provider).not.toMatch(/plantstore_|DynamoDB/);
});

/** The bundled code of the authorizer in an assembly. */
async function authorizerCode(folder: string): Promise<string> {
  const { Resources } = JSON.parse(await readFile(join(folder, templateFile('dev')), 'utf8'));
  const [asset] = Object.entries<Resource>(Resources)
    .filter(([id, { Type }]) => Type === 'AWS::Lambda::Function' && id.startsWith('Authorize'))
    .map(([, { Metadata }]) => Metadata['aws:asset:path']);
  return readFile(join(folder, asset, 'function.cjs'), 'utf8');
}

function unsigned(alg: string, signature: string): string {
  return jwt({ header: { alg, kid: 'rsa-1' }, payload: claims() }, () => Buffer.from(signature));
}

/** A verifier that lets the token choose the algorithm accepts it, since the public key is not secret. */
function hs256({ kid, publicKey }: SigningKey): string {
  const secret = publicKey.export({ format: 'pem', type: 'spki' });
  return jwt({ header: { alg: 'HS256', kid }, payload: claims() }, (input) =>
    createHmac('sha256', secret).update(input).digest(),
  );
}

function tampered(token: string, payload: object): string {
  const [header, , signature] = token.split('.');
  return `${header}.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.${signature}`;
}
