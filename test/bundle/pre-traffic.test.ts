import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { FunctionName } from '../../lib/names.ts';
import { type DeploymentServices, startDeploymentServices } from '../support/deployment-services.ts';
import { type DynamodbInMemory, startDynamodbInMemory } from '../support/dynamodb-in-memory.ts';
import { type Issuer, startIssuer } from '../support/issuer.ts';
import { type RunningFunction, startFunction } from './running-function.ts';

const hooks = new Map<FunctionName, RunningFunction>();
const folder = mkdtempSync(join(tmpdir(), 'plant-store-pre-traffic-'));
let services: DeploymentServices;
let dynamodb: DynamodbInMemory;
let issuer: Issuer;
/** An environment in which every function is healthy. */
let healthy: Record<string, string>;

beforeAll(async () => {
  services = await startDeploymentServices();
  dynamodb = await startDynamodbInMemory();
  issuer = await startIssuer();
  const certificate = join(folder, 'issuer.pem');
  writeFileSync(certificate, issuer.certificate);
  healthy = {
    AWS_ENDPOINT_URL_DYNAMODB: process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '',
    PLANTS_TABLE: 'Plants',
    TOKENS_TABLE: 'Tokens',
    OIDC_ISSUER: issuer.url,
    OIDC_AUDIENCE: 'plant-store',
    NODE_EXTRA_CA_CERTS: certificate,
  };
});

afterAll(async () => {
  for (const hook of hooks.values()) await hook.stop();
  await issuer.stop();
  await dynamodb.stop();
  await services.stop();
  rmSync(folder, { recursive: true });
});

/** Deploys a version of a function: starts the version, then runs the hook. Returns what the hook reports. */
async function deploy(name: FunctionName, environment: Record<string, string> = {}) {
  const hook =
    hooks.get(name) ??
    (await startFunction('pre-traffic', { ...services.environment, PROBED_FUNCTION: name }));
  hooks.set(name, hook);
  const version = await startFunction(name, { ...healthy, ...environment }).catch((error) => ({
    invoke: async () => ({ error: String(error) }),
    stop: async () => {},
  }));
  services.version = version.invoke;
  services.reports.length = 0;
  services.invocations = 0;
  await hook.invoke(services.event);
  await version.stop();
  return services.reports;
}

const reported = (status: string) => [
  { deploymentId: 'd-TEST', lifecycleEventHookExecutionId: 'hook-1', status },
];

// test/create-plant/in-process/pre-traffic.test.ts covers what a version must return.
describe('the pre-traffic hook', () => {
  test.each<[FunctionName, number]>([
    ['create-plant', 2],
    ['authorize', 2],
    ['authorize-oidc', 2],
  ])('reports Succeeded for a healthy version of %s, and creates no plant', async (name, invocations) => {
    await expect(deploy(name)).resolves.toEqual(reported('Succeeded'));
    expect(services.invocations).toBe(invocations);
    const { Count } = await dynamodb.client.send(new ScanCommand({ TableName: 'Plants' }));
    expect(Count).toBe(0);
  });

  test.each<[FunctionName, string, Record<string, string>]>([
    ['create-plant', 'the variable PLANTS_TABLE, without which it throws at init', { PLANTS_TABLE: '' }],
    ['authorize', 'its table', { TOKENS_TABLE: 'NoSuchTable' }],
    ['authorize-oidc', 'a connection to its issuer', { OIDC_ISSUER: 'https://127.0.0.1:1' }],
  ])('reports Failed for a version of %s that lacks %s', async (name, _missing, environment) => {
    await expect(deploy(name, environment)).resolves.toEqual(reported('Failed'));
  });

  test('reports Failed for a version of authorize-oidc if the discovery document names a different issuer', async () => {
    issuer.behavior = 'impostor';
    await expect(deploy('authorize-oidc')).resolves.toEqual(reported('Failed'));
  });
});
