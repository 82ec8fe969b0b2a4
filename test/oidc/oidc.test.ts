import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { templateFile } from '../../lib/names.ts';
import {
  type Change,
  type ChangedAssembly,
  changedAssembly,
  type Resource,
  setEnvironment,
} from '../support/changed-assembly.ts';
import { type Issuer, startIssuer } from '../support/issuer.ts';
import { type Service, startService } from '../support/service.ts';
import { synthesizedAssembly } from '../support/synthesized-assembly.ts';

const AUDIENCE = 'plant-store';
const SCOPE = 'plants:write';
const HOUR = 3600;

let issuer: Issuer;
let assembly: ChangedAssembly;
/** Makes the authorizer trust the self-signed certificate of the issuer. */
const trustCertificate: Change = (find, folder) => {
  const file = join(folder, 'issuer.pem');
  writeFileSync(file, issuer.certificate);
  setEnvironment(find, 'Authorize', { NODE_EXTRA_CA_CERTS: file });
};

beforeAll(async () => {
  issuer = await startIssuer();
  assembly = await changedAssembly(trustCertificate, {
    options: { oidcIssuer: issuer.url, oidcAudience: AUDIENCE, oidcScope: SCOPE },
  });
});
afterAll(async () => {
  await issuer.stop();
  await assembly.remove();
});

// test/in-process/lambda/openid-connect.test.ts covers the rules for tokens, keys and issuers.
describe('the service with an OpenID Connect provider', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ assembly: assembly.folder });
  });
  afterAll(() => service.stop());

  const create = (token: string) =>
    service.send({
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: '{"id":1,"name":"Ficus"}',
    });

  test('accepts a token that has the scope, and logs the subject and client of the token in each function', async () => {
    await expect(create(token())).resolves.toMatchObject({ status: 200, body: { name: 'Ficus' } });
    const lines = service.log.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
    for (const name of ['authorize', 'create-plant']) {
      expect(lines).toContainEqual(
        expect.objectContaining({ service: name, principal: 'gardener-7', client: 'greenhouse' }),
      );
    }
  });

  test('returns error 2403 and a challenge for a token that lacks the scope', async () => {
    const { status, headers, body } = await create(token({ scope: `${SCOPE}d plants read` }));
    expect([status, body.error]).toEqual([403, 2403]);
    expect(headers['www-authenticate']).toMatch(/^Bearer .*error="insufficient_scope"/);
  });

  test('never logs any part of a token', async () => {
    const tokens = [token(), token({ exp: 1 }), 'x.y.z'];
    const statuses: number[] = [];
    for (const sent of tokens) statuses.push((await create(sent)).status);
    expect(statuses).toEqual([200, 401, 401]);
    const written = service.log.join('\n');
    for (const part of tokens.flatMap((sent) => sent.split('.')).filter(({ length }) => length > 1)) {
      expect(written).not.toContain(part);
    }
    expect(written).not.toMatch(/bearer/i);
  });
});

test('the bundle of each authorizer contains no code of the other authorizer', async () => {
  const accessTokens = await authorizerCode(synthesizedAssembly());
  const provider = await authorizerCode(assembly.folder);

  expect(accessTokens).toMatch(/plantstore_/);
  expect(accessTokens).toMatch(/DynamoDB/);
  expect(accessTokens).not.toMatch(/openid-configuration|jwks/i);
  expect(provider).toMatch(/openid-configuration/);
  expect(provider).not.toMatch(/plantstore_|DynamoDB/);
});

/** A token that allows a client to create plants, unless `changes` to its claims prevent it. */
function token(changes: Record<string, unknown> = {}): string {
  const exp = Math.floor(Date.now() / 1000) + HOUR;
  const claims = {
    iss: issuer.url,
    aud: AUDIENCE,
    sub: 'gardener-7',
    client_id: 'greenhouse',
    scope: SCOPE,
    exp,
  };
  return issuer.keys[0]?.sign({ ...claims, ...changes }) ?? '';
}

/** The bundled code of an assembly's authorizer. */
async function authorizerCode(folder: string): Promise<string> {
  const { Resources } = JSON.parse(await readFile(join(folder, templateFile('dev')), 'utf8'));
  const [asset] = Object.entries<Resource>(Resources)
    .filter(([id, { Type }]) => Type === 'AWS::Lambda::Function' && id.startsWith('Authorize'))
    .map(([, { Metadata }]) => Metadata['aws:asset:path']);
  return readFile(join(folder, asset, 'function.cjs'), 'utf8');
}
