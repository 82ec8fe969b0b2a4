import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestEmulator, type TestEmulator } from './fixtures/emulator.ts';
import { send } from './fixtures/http.ts';
import { ref, routesTo, table } from './fixtures/resources.ts';

/** Functions that fail if the request has a body, each with the end of what the emulator then logs. */
const failing = {
  Throws: {
    code: `throw new RangeError('thrown');`,
    logged: '"errorType":"RangeError","errorMessage":"thrown"',
  },
  ReturnsNoJson: {
    code: 'const result = {}; result.self = result; return result;',
    logged: 'Converting circular structure to JSON',
  },
  Exits: {
    code: 'process.exit(7);',
    logged: 'exits: Runtime.ExitError: Runtime exited with error: exit status 7',
  },
  ThrowsOutsideItsHandler: {
    code: `setTimeout(() => { throw new Error('late'); }, 0); await new Promise(() => {});`,
    logged: 'Error: late\n    at ',
  },
  LogsInAnEndlessLoop: {
    code: `for (;;) console.log('flood'.repeat(10_000));`,
    logged:
      'has logged 1 MB: any further output is left out\nlogsinanendlessloop: Sandbox.Timedout: Task timed out after 1.00 seconds',
  },
  FillsItsMemory: {
    code: 'for (const all = []; ; ) all.push(Array.from({ length: 10_000 }, () => ({})));',
    logged: 'fillsitsmemory: Runtime.OutOfMemory: ',
  },
};

const functions = {
  ...Object.fromEntries(
    Object.entries(failing).map(([id, { code }]) => [
      id,
      `exports.handler = async ({ body }) => { if (body) { ${code} } return {}; };`,
    ]),
  ),
  Describe: `export const a = { b: async (_, context) => ({ body: JSON.stringify({
    env: process.env, context, remaining: context.getRemainingTimeInMillis() }) }) };`,
  Log: `console.log('x'.repeat(2 ** 20)); exports.handler = async () => {
    console.error('to stderr'); process.stdout.write('in two lines\\nwithout a line end'); return {}; };`,
  CannotBeLoaded: `throw new Error('never');`,
  Blocks: `exports.handler = async ({ body }) => {
    if (body) require('node:child_process').execSync('sleep 4'); return {}; };`,
  LoadsSlowly: `console.log('begins to load');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
    console.log('ends loading');
    exports.handler = () => new Promise((resolve) => setTimeout(resolve, 300, {}));`,
};

let emulator: TestEmulator;
beforeAll(async () => {
  process.env.AWS_PROFILE = 'of-the-user';
  const { resources } = routesTo(functions);
  emulator = await startTestEmulator({
    functions,
    resources: { ...resources, Table: table('id', 'S') },
    properties: {
      Describe: {
        FunctionName: 'describe-me',
        Handler: 'code/main.a.b',
        // An empty file adds nothing to Node’s certificates, and cannot replace them.
        Environment: {
          Variables: { TABLE: ref('Table'), COUNT: 3, LANG: 'C', NODE_EXTRA_CA_CERTS: '/dev/null' },
        },
      },
      Blocks: { Timeout: 1 },
      FillsItsMemory: { Timeout: 20, MemorySize: 32 },
      LogsInAnEndlessLoop: { Timeout: 1 },
      LoadsSlowly: { Timeout: 60 },
    },
  });
});
afterAll(() => emulator.stop());

const lastLines = () =>
  emulator.lines
    .slice(-4)
    .map((line) => line.slice(-1_000))
    .join('\n');
const invoke = (id: string, body = '') => send(emulator.url, `/${id}`, { method: 'POST', body });

test('gives an ES module Lambda’s environment variables and context, and none of this machine’s variables', async () => {
  const { env, context, remaining } = JSON.parse((await invoke('Describe')).text);
  expect(env).toEqual({
    AWS_REGION: 'us-east-1',
    AWS_DEFAULT_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_SESSION_TOKEN: 'local',
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_LAMBDA_FUNCTION_NAME: 'describe-me',
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '128',
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_ENDPOINT_URL_DYNAMODB: emulator.dynamodbEndpoint,
    LAMBDA_TASK_ROOT: expect.stringMatching(/bundles\/describe$/),
    _HANDLER: 'code/main.a.b',
    _X_AMZN_TRACE_ID: expect.stringMatching(/^Root=1-[0-9a-f]{8}-[0-9a-f]{24}$/),
    PATH: '/usr/local/bin:/usr/bin:/bin',
    LANG: 'C',
    TZ: ':UTC',
    TABLE: 'Table',
    COUNT: '3',
    NODE_EXTRA_CA_CERTS: '/dev/null',
  });
  expect(context).toMatchObject({
    awsRequestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    invokedFunctionArn: 'arn:aws:lambda:us-east-1:123456789012:function:describe-me',
    functionName: 'describe-me',
    functionVersion: '$LATEST',
    memoryLimitInMB: '128',
  });
  // Lambda's default timeout is 3 s.
  expect(remaining).toBeGreaterThan(2000);
  expect(remaining).toBeLessThanOrEqual(3000);
});

test('logs a function’s output line by line, before the response, even if init has logged 1 MB', async () => {
  await invoke('Log');
  expect(lastLines()).toContain('to stderr\nin two lines\nwithout a line end');
});

// recorded/rows.ts tests more failures.
test.each(Object.entries(failing))(
  'responds with 502 when a function %s, and runs its next invocation',
  async (id, { logged }) => {
    expect((await invoke(id, 'fail')).status).toBe(502);
    expect(lastLines()).toContain(logged);
    expect((await invoke(id)).status).toBe(200);
  },
);

test('responds with 502 to each of several concurrent requests when a function cannot be loaded', async () => {
  const responses = await Promise.all(['', '', ''].map(() => invoke('CannotBeLoaded')));
  expect(responses.map(({ status }) => status)).toEqual([502, 502, 502]);
  expect(emulator.failures).toEqual([
    'cannotbeloaded cannot be loaded (Error: never): fix its code',
  ]);
});

test('starts workers one after another when requests arrive in a burst', async () => {
  await Promise.all(Array.from({ length: 12 }, () => invoke('LoadsSlowly')));
  const loads = emulator.lines.filter((line) => /^(begins to|ends) load/.test(line));
  expect(loads.length).toBeGreaterThan(2);
  expect(loads).toEqual(
    loads.map((_, index) => (index % 2 === 0 ? 'begins to load' : 'ends loading')),
  );
});

test('runs a queued invocation when the threads of all ten workers, which timed out, have ended', async () => {
  const blocked = Array.from({ length: 10 }, () => invoke('Blocks', 'block'));
  const queued = invoke('Blocks');
  expect((await Promise.race([queued, ...blocked])).status).toBe(502);
  expect((await queued).status).toBe(200);
  await Promise.all(blocked);
});

test('frees both ports when the emulator stops in the middle of an invocation', async () => {
  const { url, dynamodbEndpoint, stop, stopped } = await startTestEmulator(
    routesTo({ Loops: 'exports.handler = () => { for (;;); };' }),
  );
  const looping = send(url, '/Loops', { method: 'POST' }).catch(() => undefined);
  await Promise.all([stop(), stop(), stopped]);
  await looping;

  await expect(fetch(dynamodbEndpoint)).rejects.toThrow();
  await expect(fetch(url)).rejects.toThrow();
});
