import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { synthesize } from 'stack-emulator';
import { INVALID_BODY } from '../../tools/contract/example-requests.ts';
import { TEMPLATE_FILE } from '../support/assembly/synthesized-assembly.ts';
import { ofType, resourcesOf } from '../support/assembly/template-resources.ts';
import { PROJECT } from '../support/pages/code-blocks.ts';
import { type Issuer, startIssuer } from '../support/servers/issuer.ts';
import { exampleOperation } from '../support/service/contract.ts';
import { type Service, startTestService } from '../support/service/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

// test/in-process/lambda/authorize-oidc/verify-token.test.ts covers the rules for tokens, keys and issuers.
describe('the service with an OpenID Connect provider', () => {
  let issuer: Issuer;
  let service: Service;
  beforeAll(async () => {
    issuer = await startIssuer();
    const options = { oidcIssuer: issuer.url, oidcAudience: 'plant-store', oidcScope: 'write' };
    const assembly = temporaryFolder();
    await synthesize({ project: PROJECT, output: assembly, context: options });
    const certificate = join(assembly, 'issuer.pem');
    writeFileSync(certificate, issuer.certificate);
    const file = join(assembly, TEMPLATE_FILE);
    const template = JSON.parse(readFileSync(file, 'utf8'));
    for (const { Properties } of ofType(resourcesOf(template), 'AWS::Lambda::Function'))
      Properties.Environment.Variables.NODE_EXTRA_CA_CERTS = certificate;
    writeFileSync(file, JSON.stringify(template));
    service = await startTestService({ assembly });
  });

  /** A token that allows a client to use the service, unless `changes` to its claims prevent it. */
  const token = (changes: Record<string, unknown> = {}) => {
    const caller = { sub: 'gardener-7', client_id: 'greenhouse', scope: 'write' };
    const exp = Math.floor(Date.now() / 1000) + 3600;
    const claims = { iss: issuer.url, aud: 'plant-store', exp, ...caller, ...changes };
    return issuer.keys[0]?.sign(claims) ?? '';
  };
  const request = (sent: string) => service.send({ token: sent, body: INVALID_BODY });

  /** The error of the body, which the function returns. */
  const accepted = { status: 400, body: { error: 1002 } };

  test('accepts a token that has the scope, and logs the subject and client of the token in each function', async () => {
    await expect(request(token())).resolves.toMatchObject(accepted);
    const lines = service.log
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
    for (const name of ['authorize', exampleOperation.functionName]) {
      const line = { service: name, principal: 'gardener-7', client: 'greenhouse' };
      expect(lines).toContainEqual(expect.objectContaining(line));
    }
  });

  test('returns error 2403 and a challenge for a token that lacks the scope', async () => {
    const { status, headers, body } = await request(token({ scope: 'writer read' }));
    expect([status, body.error]).toEqual([403, 2403]);
    const challenge = 'Bearer realm="plant-store", error="insufficient_scope"';
    expect(headers['www-authenticate']).toBe(challenge);
  });

  test('never logs any part of a token', async () => {
    const tokens = [token(), token({ exp: 1 }), 'x.y.z'];
    const responses = await Promise.all(tokens.map(request));
    expect(responses.map(({ status }) => status)).toEqual([400, 401, 401]);
    const written = service.log.join('\n');
    for (const part of tokens
      .flatMap((sent) => sent.split('.'))
      .filter(({ length }) => length > 1)) {
      expect(written).not.toContain(part);
    }
    expect(written).not.toMatch(/bearer/i);
  });
});
