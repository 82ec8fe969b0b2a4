import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { LifecycleEvent, RemainingTime } from '../../../../lambda/pre-traffic/handler.ts';
import { operationProbe } from '../../../../lambda/pre-traffic/probes.ts';
import { operationErrors } from '../../../../lambda/shared/errors.ts';
import {
  type DeploymentServices,
  startDeploymentServices,
  type Version,
} from '../../../support/deployment-services.ts';

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
afterAll(async () => {
  jest.restoreAllMocks();
  await services.stop();
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
    const { status } = await probe(async () => (services.invocations === 1 ? { rejection } : unauthorized));
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
    ['if too little time is left for a probe', healthy, 1_000, /^AbortError/],
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
    await expect(probe(healthy)).resolves.toEqual({ status: 'Failed', message: `Error: ${expected}` });
  });
});

describe('a version of create-plant', () => {
  const headers = { 'Content-Type': 'application/json' };
  const errorBody = (error: number, message: unknown = 'rejected') => JSON.stringify({ error, message });
  const errors = [1002, 1000];
  const results = errors.map((error) => ({ statusCode: 400, headers, body: errorBody(error) }));
  // test/bundle/pre-traffic.test.ts covers results that are all as expected.
  const deploy = (changed: object, at = 0) => {
    process.env.PROBED_FUNCTION = 'create-plant';
    return probe(async () => {
      const index = services.invocations - 1;
      return { result: index === at ? { ...results[index], ...changed } : results[index] };
    });
  };

  test.each([...errors.keys()])('fails if its result for probe %i has a different error code', async (at) => {
    const { status } = await deploy({ body: errorBody(1500) }, at);
    expect([status, services.invocations]).toEqual(['Failed', at + 1]);
  });

  test.each<[string, object]>([
    ['a different status', { statusCode: 200 }],
    ['an object as its body', { body: { error: 1002, message: '' } }],
    ['null in its body', { body: 'null' }],
    ['HTML in its body', { body: '<html>' }],
    ['a message that is not a string', { body: errorBody(1002, null) }],
    ['a base64 body', { body: Buffer.from(errorBody(1002)).toString('base64'), isBase64Encoded: true }],
    ['a media type other than application/json', { headers: { 'Content-Type': 'text/html' } }],
    ['a field that API Gateway does not accept', { cookies: [] }],
  ])('fails if its result has %s', async (_what, changed) => {
    const { status, message } = await deploy(changed);
    expect(status).toBe('Failed');
    expect(message).toMatch(
      /^Error: expected status 400 with error 1002 for a body that is not a NewPlant, but the new/,
    );
  });

  test('fails if it throws an error that resembles a valid result', async () => {
    process.env.PROBED_FUNCTION = 'create-plant';
    const { status } = await probe(async () => ({ error: 'an error', result: results[0] }));
    expect(status).toBe('Failed');
  });
});

test.each([
  ['accepts', 'the expected status 200', 200, '{}'],
  ['accepts', 'the expected error 1004', 400, JSON.stringify({ error: 1004, message: 'x'.repeat(1_000) })],
  [
    'rejects',
    'an expected error with a message that is too long',
    400,
    JSON.stringify({ error: 1004, message: 'x'.repeat(1_001) }),
  ],
  ['rejects', 'a status that it does not expect', 404, '{}'],
])('a probe that expects one of two results %s %s', (verdict, _what, statusCode, body) => {
  const request = { pathParameters: { id: '0' } };
  const either = operationProbe('an id', [operationErrors.conflict, { status: 200 }], request);
  const payload = JSON.stringify({ statusCode, headers: { 'Content-Type': 'application/json' }, body });
  expect(either.isExpected({ failed: false, payload })).toBe(verdict === 'accepts');
  expect(either).toMatchObject({
    event: { requestContext: {}, ...request },
    expected: 'status 400 with error 1004 or 200',
  });
});

test.each([
  ['nothing', undefined],
  ['an object that resembles an error', { errorMessage: 'Unauthorized' }],
])('a version of an authorizer fails if it returns %s', async (_what, result) => {
  await expect(probe(async () => ({ result }))).resolves.toMatchObject({ status: 'Failed' });
});
