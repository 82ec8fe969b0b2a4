import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { operations } from '../../lambda/generated/operations.ts';
import { probesOf } from '../../lambda/pre-traffic/probes.ts';
import type { FunctionName } from '../../lib/functions/function-names.ts';
import { startDeploymentServices } from '../support/servers/deployment-services.ts';
import { startIssuer } from '../support/servers/issuer.ts';
import { startScriptedServer } from '../support/servers/scripted-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startFunction } from './running-function.ts';

// The tests of lambda/pre-traffic/ cover what a version must return, and when the hook reports Failed.
test.each<FunctionName>([
  ...operations.map(({ functionName }) => functionName),
  'authorize',
  'authorize-oidc',
])(
  'the pre-traffic hook stores nothing and reports Succeeded for a healthy version of %s',
  async (name) => {
    const services = await startDeploymentServices();
    const dynamodb = await startScriptedServer({ status: 200, body: '{}' });
    const issuer = await startIssuer();
    const certificate = join(temporaryFolder(), 'issuer.pem');
    writeFileSync(certificate, issuer.certificate);
    const version = await startFunction(name, {
      AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url,
      OIDC_ISSUER: issuer.url,
      OIDC_AUDIENCE: 'plant-store',
      NODE_EXTRA_CA_CERTS: certificate,
    });
    services.version = version.invoke;
    const environment = { ...services.environment, PROBED_FUNCTION: name };
    const hook = await startFunction('pre-traffic', environment);
    await hook.invoke(services.event);
    expect(services.reports).toMatchObject([{ status: 'Succeeded' }]);
    expect(services.invocations).toBe(probesOf(name).length);
    const commands = dynamodb.requests.flatMap(({ headers }) => headers['x-amz-target'] ?? []);
    for (const command of commands) expect(command).toMatch(/\.(GetItem|Query)$/);
    // An authorizer reads its table or keys once.
    if (name.startsWith('authorize')) expect(commands.length + issuer.fetches).toBe(1);
    if (name === 'authorize') expect(commands).toEqual(['DynamoDB_20120810.GetItem']);
  },
);
