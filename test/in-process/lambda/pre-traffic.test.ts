import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { LifecycleEvent, RemainingTime } from '../../../lambda/pre-traffic/handler.ts';
import { operationProbe } from '../../../lambda/pre-traffic/probes.ts';
import { operationErrors } from '../../../lambda/shared/errors.ts';
import { largeFields } from '../../support/contract.ts';
import { type DeploymentServices, startDeploymentServices } from '../../support/deployment-services.ts';

const context = (remainingTimeMs = 60_000) => ({ getRemainingTimeInMillis: () => remainingTimeMs });
const unauthorized = { error: 'Unauthorized' };

let services: DeploymentServices;
let handler: (event: LifecycleEvent, context: RemainingTime) => Promise<void>;
let lines: string[];

beforeAll(async () => {
  services = await startDeploymentServices();
  Object.assign(process.env, services.environment);
  ({ handler } = await import('../../../lambda/pre-traffic/index.ts'));
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

const statuses = () => services.reports.map((report) => Object(report).status);
const message = () => JSON.parse(lines.join('')).message;

describe('the pre-traffic hook', () => {
  test('reports Succeeded with the ids of the event, and logs one line', async () => {
    services.version = async () => unauthorized;
    await handler(services.event, context());
    expect(services.reports).toEqual([
      { deploymentId: 'd-TEST', lifecycleEventHookExecutionId: 'hook-1', status: 'Succeeded' },
    ]);
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { level: 'INFO', deploymentId: 'd-TEST', status: 'Succeeded' },
    ]);
  });

  test('sends an authorizer one token for each kind of authorizer', async () => {
    const tokens: string[] = [];
    services.version = async (event) => {
      tokens.push(Object(event).authorizationToken);
      return unauthorized;
    };
    await handler(services.event, context());
    expect(tokens).toEqual([
      expect.stringMatching(/^Bearer plantstore_0{16}_0{64}$/),
      expect.stringMatching(/^Bearer [\w-]+\.[\w-]+\.[\w-]+$/),
    ]);
  });

  test('reports Failed at the first unexpected result, and logs the result', async () => {
    services.version = async () => ({ error: 'undefined is not a function' });
    await handler(services.event, context());
    expect(statuses()).toEqual(['Failed']);
    expect(services.invocations).toBe(1);
    expect(JSON.parse(lines.join(''))).toMatchObject({
      level: 'ERROR',
      deploymentId: 'd-TEST',
      status: 'Failed',
    });
    expect(message()).toMatch(
      /^Error: expected Unauthorized for an unknown access token, but the new version failed with .*undefined is not/,
    );
  });

  test('logs no more than 1000 characters of a result', async () => {
    services.version = async () => ({ result: 'x'.repeat(5_000) });
    await handler(services.event, context());
    expect(message()).toMatch(/returned "x{999}$/);
  });

  test('retries an invocation that Lambda rejects', async () => {
    const rejection = 'AccessDeniedException';
    services.version = async () => (services.invocations === 1 ? { rejection } : unauthorized);
    await handler(services.event, context());
    expect(statuses()).toEqual(['Succeeded']);
    expect(services.invocations).toBe(3);
  });

  test('reports Failed with the error of Lambda if it rejects every invocation', async () => {
    services.version = async () => ({ rejection: 'AccessDeniedException' });
    await handler(services.event, context(11_200));
    expect(statuses()).toEqual(['Failed']);
    expect(message()).toMatch(/^AccessDeniedException/);
  });

  test('reports Failed before its own timeout if Lambda never responds', async () => {
    services.version = () => new Promise(() => {});
    await handler(services.event, context(10_200));
    expect(statuses()).toEqual(['Failed']);
    expect(message()).toMatch(/^AbortError/);
  });

  test('reports Failed if too little time is left for a probe', async () => {
    services.version = async () => unauthorized;
    await handler(services.event, context(1_000));
    expect(statuses()).toEqual(['Failed']);
  });

  test.each([
    ['PROBED_FUNCTION', '', 'the environment variable PROBED_FUNCTION is not set'],
    ['NEW_VERSION', '', 'the environment variable NEW_VERSION is not set'],
    ['PROBED_FUNCTION', 'no-such-function', 'there are no probes for no-such-function'],
  ])('reports Failed if %s is %j', async (name, value, expected) => {
    process.env[name] = value;
    await handler(services.event, context());
    expect(statuses()).toEqual(['Failed']);
    expect(message()).toBe(`Error: ${expected}`);
  });
});

describe('a version of create-plant', () => {
  const headers = { 'Content-Type': 'application/json' };
  const errorBody = (error: number, message: unknown = 'rejected') => JSON.stringify({ error, message });
  const errors = [1002, 1000, ...largeFields.map(() => 1003)];
  const results = errors.map((error) => ({ statusCode: 400, headers, body: errorBody(error) }));
  const deploy = async (changed: object = {}, at = 0) => {
    process.env.PROBED_FUNCTION = 'create-plant';
    services.version = async () => {
      const index = services.invocations - 1;
      return { result: index === at ? { ...results[index], ...changed } : results[index] };
    };
    await handler(services.event, context());
    return statuses();
  };

  test('succeeds if it rejects what is not a NewPlant, another media type and a plant that is too large', async () => {
    await expect(deploy()).resolves.toEqual(['Succeeded']);
    expect(services.invocations).toBe(errors.length);
  });

  test.each([...errors.keys()])('fails if the result of probe %i has another error code', async (at) => {
    await expect(deploy({ body: errorBody(1500) }, at)).resolves.toEqual(['Failed']);
    expect(services.invocations).toBe(at + 1);
  });

  test.each<[string, object]>([
    ['another status', { statusCode: 200 }],
    ['an object as its body', { body: { error: 1002, message: '' } }],
    ['null in its body', { body: 'null' }],
    ['HTML in its body', { body: '<html>' }],
    ['a message that is not a string', { body: errorBody(1002, null) }],
    ['a base64 body', { body: Buffer.from(errorBody(1002)).toString('base64'), isBase64Encoded: true }],
    ['another media type', { headers: { 'Content-Type': 'text/html' } }],
    ['a field that API Gateway does not know', { cookies: [] }],
  ])('fails if its result has %s', async (_what, changed) => {
    await expect(deploy(changed)).resolves.toEqual(['Failed']);
    expect(message()).toMatch(
      /^Error: expected status 400 1002 for a body that is not a NewPlant, but the new/,
    );
  });

  test.each<[string, () => object]>([
    ['throws what looks like its result', () => ({ error: 'an error', result: results[0] })],
    ['returns nothing', () => ({})],
  ])('fails if it %s', async (_what, reply) => {
    process.env.PROBED_FUNCTION = 'create-plant';
    services.version = async () => reply();
    await handler(services.event, context());
    expect(statuses()).toEqual(['Failed']);
  });
});

test.each([
  [true, 200, '{}'],
  [true, 400, JSON.stringify({ error: 1004, message: 'x'.repeat(1_000) })],
  [false, 400, JSON.stringify({ error: 1004, message: 'x'.repeat(1_001) })],
  [false, 404, '{}'],
])(
  'a probe that expects one of two results expects %p for the status %i with %.60s',
  (expected, statusCode, body) => {
    const probe = operationProbe('an id', [operationErrors.conflict, { status: 200 }], { body: null });
    const payload = JSON.stringify({ statusCode, headers: { 'Content-Type': 'application/json' }, body });
    expect(probe.isExpected({ failed: false, payload })).toBe(expected);
    expect(probe).toMatchObject({ event: { body: null }, expected: 'status 400 1004 or 200' });
  },
);

test.each([
  ['nothing', undefined],
  ['what looks like an error', { errorMessage: 'Unauthorized' }],
  ['a policy for every token', { principalId: 'anybody', policyDocument: {} }],
])('a version of an authorizer fails if it returns %s', async (_what, result) => {
  services.version = async () => ({ result });
  await handler(services.event, context());
  expect(statuses()).toEqual(['Failed']);
});
