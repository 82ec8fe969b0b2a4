import { afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { LifecycleEvent, RemainingTime } from '../../../../lambda/pre-traffic/handler.ts';
import {
  type DeploymentServices,
  startDeploymentServices,
  type Version,
} from '../../../support/servers/deployment-services.ts';

let services: DeploymentServices;
let handler: (event: LifecycleEvent, context: RemainingTime) => Promise<void>;
let lines: string[];

beforeAll(async () => {
  services = await startDeploymentServices();
  Object.assign(process.env, services.environment);
  ({ handler } = await import('../../../../lambda/pre-traffic/index.ts'));
});
beforeEach(() => {
  lines = [];
  jest.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(`${line}`) > 0);
  Object.assign(process.env, { PROBED_FUNCTION: 'authorize', NEW_VERSION: services.versionArn });
  services.reports.length = 0;
  services.invocations = 0;
});
afterEach(() => {
  jest.restoreAllMocks();
});

const unauthorized = { error: 'Unauthorized' };
const healthy = async () => unauthorized;

/** Runs the hook for a version. @returns the status that the hook reported, and the message that it logged */
async function probe(version: Version, remainingTimeMs = 60_000) {
  services.version = version;
  await handler(services.event, { getRemainingTimeInMillis: () => remainingTimeMs });
  const { message } = JSON.parse(lines.join(''));
  return { status: services.reports.map((report) => Object(report).status).join(), message };
}

describe('the pre-traffic hook', () => {
  test('reports Succeeded with the ids from the event if the version is healthy, and logs one line', async () => {
    await probe(healthy);
    expect(services.reports).toEqual([
      { deploymentId: 'd-TEST', lifecycleEventHookExecutionId: 'hook-1', status: 'Succeeded' },
    ]);
    expect(JSON.parse(lines.join(''))).toEqual({
      level: 'INFO',
      deploymentId: 'd-TEST',
      status: 'Succeeded',
    });
  });

  test('reports Failed at the first unexpected result, and logs the result', async () => {
    const { status, message } = await probe(async () => ({ error: 'undefined is not a function' }));
    expect([status, services.invocations]).toEqual(['Failed', 1]);
    const line = { level: 'ERROR', deploymentId: 'd-TEST', status: 'Failed' };
    expect(JSON.parse(lines.join(''))).toMatchObject(line);
    expect(message).toMatch(
      /^Error: expected Unauthorized for an unknown access token, but the new version failed with .*undefined is not/,
    );
  });

  test('logs at most 1000 characters of a result', async () => {
    const { message } = await probe(async () => ({ result: 'x'.repeat(5_000) }));
    expect(message).toMatch(/returned "x{999}$/);
  });

  test('retries an invocation that Lambda rejects', async () => {
    const rejection = 'AccessDeniedException';
    const { status } = await probe(async () =>
      services.invocations === 1 ? { rejection } : unauthorized,
    );
    expect([status, services.invocations]).toEqual(['Succeeded', 3]);
  });

  test.each<[string, Version, number, RegExp]>([
    [
      "with Lambda's error if Lambda rejects every invocation",
      async () => ({ rejection: 'AccessDeniedException' }),
      11_200,
      /^AccessDeniedException/,
    ],
    [
      'before its own timeout if the new version never responds',
      () => new Promise(() => {}),
      10_200,
      /^AbortError/,
    ],
    ['if too little time is left for a probe', healthy, 10_000, /^AbortError/],
  ])('reports Failed %s', async (_when, version, remainingTimeMs, message) => {
    await expect(probe(version, remainingTimeMs)).resolves.toEqual({
      status: 'Failed',
      message: expect.stringMatching(message),
    });
  });

  test.each([
    ['PROBED_FUNCTION', '', 'the environment variable PROBED_FUNCTION is not set'],
    ['NEW_VERSION', '', 'the environment variable NEW_VERSION is not set'],
    [
      'PROBED_FUNCTION',
      'no-such-function',
      'there are no probes for no-such-function; add some to probes.ts',
    ],
  ])('reports Failed if the environment variable %s is %j', async (name, value, expected) => {
    process.env[name] = value;
    await expect(probe(healthy)).resolves.toEqual({
      status: 'Failed',
      message: `Error: ${expected}`,
    });
  });
});
