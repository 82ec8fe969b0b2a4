import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { operations } from '../../lambda/generated/operations.ts';
import { probesOf } from '../../lambda/pre-traffic/probes.ts';
import type { FunctionName } from '../../lib/names.ts';
import {
  type DeploymentServices,
  startDeploymentServices,
} from '../support/servers/deployment-services.ts';
import { type Issuer, startIssuer } from '../support/servers/issuer.ts';
import { type ScriptedServer, startScriptedServer } from '../support/servers/scripted-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { startFunction } from './running-function.ts';

let services: DeploymentServices;
let dynamodb: ScriptedServer;
let issuer: Issuer;
/** An environment in which every function is healthy. */
let healthy: Record<string, string>;

beforeAll(async () => {
  services = await startDeploymentServices();
  dynamodb = await startScriptedServer({ status: 200, body: '{}' });
  issuer = await startIssuer();
  const certificate = join(temporaryFolder(), 'issuer.pem');
  writeFileSync(certificate, issuer.certificate);
  healthy = {
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url,
    OIDC_ISSUER: issuer.url,
    OIDC_AUDIENCE: 'plant-store',
    NODE_EXTRA_CA_CERTS: certificate,
  };
});

/** Deploys a version of a function: starts the version, then runs the hook. Returns what the hook reports. */
async function deploy(name: FunctionName) {
  const hook = await startFunction('pre-traffic', {
    ...services.environment,
    PROBED_FUNCTION: name,
  });
  const version = await startFunction(name, healthy);
  services.version = version.invoke;
  services.reports.length = 0;
  services.invocations = 0;
  issuer.fetches = 0;
  dynamodb.requests.length = 0;
  await hook.invoke(services.event);
  return services.reports;
}

// The tests of lambda/pre-traffic/ cover what a version must return, and when the hook reports Failed.
test.each<FunctionName>([
  ...operations.map(({ functionName }) => functionName),
  'authorize',
  'authorize-oidc',
])(
  'the pre-traffic hook stores nothing and reports Succeeded for a healthy version of %s',
  async (name) => {
    await expect(deploy(name)).resolves.toMatchObject([{ status: 'Succeeded' }]);
    expect(services.invocations).toBe(probesOf(name).length);
    const commands = dynamodb.requests.flatMap(({ headers }) => headers['x-amz-target'] ?? []);
    for (const command of commands) expect(command).toMatch(/\.(GetItem|Query)$/);
    // An authorizer reads its table or keys once.
    if (name.startsWith('authorize')) expect(commands.length + issuer.fetches).toBe(1);
  },
);
