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

/** What the issuer says of a client that may create plants, with changes; undefined takes a claim away. */
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

describe('a token of the provider', () => {
  let service: OidcService;
  beforeAll(async () => {
    service = await startOidcService(assembly);
  });
  afterAll(() => service.stop());

  const now = Math.floor(Date.now() / 1000);

  test.each<[string, () => string]>([
    ['signed with its RSA key', () => key('rsa-1').sign(claims())],
    ['signed with its EC key', () => key('ec-1').sign(claims())],
    ['for several audiences, this one among them', () => key('rsa-1').sign(claims({ aud: ['a', AUDIENCE] }))],
    ['with the scope in scp, as a list', () => key('rsa-1').sign(claims({ scope: undefined, scp: [SCOPE] }))],
    [
      'with the scope in scp, as a text',
      () => key('rsa-1').sign(claims({ scope: undefined, scp: `a ${SCOPE}` })),
    ],
  ])('%s lets a plant be created', async (_, token) => {
    await expect(service.create(token())).resolves.toMatchObject({ status: 200, body: { name: 'Ficus' } });
  });

  test.each<[string, () => string]>([
    ['no scope', () => key('rsa-1').sign(claims({ scope: undefined }))],
    ['other scopes only', () => key('ec-1').sign(claims({ scope: `${SCOPE}d plants read` }))],
    ['other scopes only, in scp', () => key('ec-1').sign(claims({ scope: undefined, scp: ['plants:read'] }))],
  ])('with %s is 403 with 2403', async (_, token) => {
    const { status, body } = await service.create(token());
    expect([status, body.error]).toEqual([403, 2403]);
  });

  test.each<[string, () => string]>([
    ['has expired', () => key('rsa-1').sign(claims({ exp: now - 60 }))],
    ['is not valid yet', () => key('rsa-1').sign(claims({ nbf: now + HOUR }))],
    ['never expires', () => key('rsa-1').sign(claims({ exp: undefined }))],
    ['is of another issuer', () => key('rsa-1').sign(claims({ iss: 'https://impostor.example' }))],
    ['is of an issuer with a slash more', () => key('rsa-1').sign(claims({ iss: `${issuer.url}/` }))],
    ['is of no issuer', () => key('rsa-1').sign(claims({ iss: undefined }))],
    ['is for another audience', () => key('rsa-1').sign(claims({ aud: 'animal-store' }))],
    ['is for no audience', () => key('rsa-1').sign(claims({ aud: undefined }))],
    ['speaks for nobody', () => key('rsa-1').sign(claims({ sub: undefined }))],
    ['lacks the scope and has expired', () => key('rsa-1').sign(claims({ scope: 'a', exp: now - 60 }))],
    ['is signed with a key that is not the issuer’s', () => rsaKey('rsa-1').sign(claims())],
    ['is signed with an EC key that is not the issuer’s', () => ecKey('ec-1').sign(claims())],
    ['is signed with its other key', () => key('rsa-1').sign(claims(), { kid: 'ec-1' })],
    ['is signed with a key of another kind', () => key('ec-1').sign(claims(), { kid: 'rsa-1' })],
    ['has a signature that no EC key makes', () => `${key('ec-1').sign(claims())}AAAA`],
    ['names no key', () => key('rsa-1').sign(claims(), { kid: undefined })],
    ['says alg none, unsigned', () => unsigned('none', '')],
    ['says alg none, with a signature', () => key('rsa-1').sign(claims(), { alg: 'none' })],
    ['says alg None, with something for a signature', () => unsigned('None', 'x')],
    ['is HS256, keyed with the public key', () => hs256(key('rsa-1'))],
    ['says another algorithm than its key', () => key('rsa-1').sign(claims(), { alg: 'ES256', kid: 'ec-1' })],
    ['says EdDSA for an RSA key', () => key('ec-1').sign(claims(), { alg: 'EdDSA', kid: 'rsa-1' })],
    ['says EdDSA for an EC key', () => key('rsa-1').sign(claims(), { alg: 'EdDSA', kid: 'ec-1' })],
    ['says an algorithm that nobody knows', () => key('rsa-1').sign(claims(), { alg: '__proto__' })],
    ['has a payload that was changed', () => tampered(key('rsa-1').sign(claims({ scope: 'a' })), claims())],
    ['is three parts of nonsense', () => 'abc.def.ghi'],
    ['is two parts', () => 'abc.def'],
    ['is an access token of ours', () => `plantstore_${'0'.repeat(16)}_${'0'.repeat(64)}`],
  ])('that %s is 401 with 2401', async (_, token) => {
    const { status, body, headers } = await service.create(token());
    expect([status, body.error]).toEqual([401, 2401]);
    expect(headers['www-authenticate']).toMatch(/^Bearer /);
  });

  test('is refused when it names a key that the issuer has not got, and the next good one is taken', async () => {
    const { status, body } = await service.create(rsaKey('guessed').sign(claims()));
    expect([status, body.error]).toEqual([401, 2401]);
    await expect(service.create(key('ec-1').sign(claims({ jti: '2' })))).resolves.toMatchObject({
      status: 200,
    });
  });

  test('that names one unknown key after the other costs one fetch', async () => {
    const before = issuer.fetches;
    for (const kid of ['a', 'b', 'c', 'd']) await service.create(rsaKey(kid).sign(claims()));
    expect(issuer.fetches - before).toBeLessThanOrEqual(1);
  });

  test('is known in the log of each function by its subject and client', async () => {
    await service.create(key('rsa-1').sign(claims({ jti: 'known' })));
    const lines = service.log.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
    for (const name of ['authorize', 'create-plant']) {
      expect(lines).toContainEqual(
        expect.objectContaining({ service: name, principal: 'gardener-7', client: 'greenhouse' }),
      );
    }
  });

  test('is in no line of the log, in no part', async () => {
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

describe('the issuer’s keys', () => {
  let service: OidcService;
  beforeEach(async () => {
    service = await startOidcService(assembly);
  });
  afterEach(async () => {
    issuer.behaviour = 'well';
    await service.stop();
  });

  test('may be rotated: a new key counts at once, the others go on', async () => {
    await expect(service.create(key('rsa-1').sign(claims()))).resolves.toMatchObject({ status: 200 });
    issuer.keys = [...issuer.keys, rsaKey('rsa-2')];

    await expect(service.create(key('rsa-2').sign(claims()))).resolves.toMatchObject({ status: 200 });
    await expect(service.create(key('ec-1').sign(claims()))).resolves.toMatchObject({ status: 200 });
  });

  test.each(['dead', 'failing', 'garbage', 'impostor', 'insecure keys', 'slow'] as const)(
    'cannot be had from an issuer that is %s: a fault, not a refusal, that ends by itself',
    async (behaviour) => {
      issuer.behaviour = behaviour;
      const token = key('rsa-1').sign(claims());
      const { status, body } = await service.create(token);
      expect([status, body.error]).toEqual([500, 2500]);

      issuer.behaviour = 'well';
      await expect(service.create(token)).resolves.toMatchObject({ status: 200 });
    },
  );

  test('that are known still count while the issuer is away', async () => {
    await expect(service.create(key('rsa-1').sign(claims()))).resolves.toMatchObject({ status: 200 });
    issuer.behaviour = 'dead';
    await expect(service.create(key('ec-1').sign(claims()))).resolves.toMatchObject({ status: 200 });
  });
});

test('neither authorizer carries the code of the other', async () => {
  const accessTokens = await authorizerCode(synthesizedAssembly());
  const provider = await authorizerCode(assembly.folder);

  expect(accessTokens).toMatch(/plantstore_/);
  expect(accessTokens).toMatch(/DynamoDB/);
  expect(accessTokens).not.toMatch(/openid-configuration|jwks/i);
  expect(provider).toMatch(/openid-configuration/);
  expect(provider).not.toMatch(/plantstore_|DynamoDB/);
});

/** The bundled code of the authorizer, in the one mode or the other. */
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

/** What a verifier takes that lets the token choose the algorithm: the public key is no secret. */
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
