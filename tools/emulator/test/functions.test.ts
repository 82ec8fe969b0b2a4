import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { writeAssembly } from './fixtures/assembly.ts';
import { startEmulatorProcess, startTestEmulator, type TestEmulator } from './fixtures/emulator.ts';
import { send } from './fixtures/http.ts';
import { arnOf, method, ref, restApi, table } from './fixtures/resources.ts';

/** This function runs the command in the request's body. The tests are slow, because some wait for a timeout. */
const commanded = `
const { execFileSync } = require('node:child_process');
const { isMainThread, parentPort, threadId, workerData } = require('node:worker_threads');
const messages = [{ kind: 'result', json: '"forged"' }, { kind: 'output' }, 'text', null];
let calls = 0;
exports.handler = async (event, context) => {
  calls += 1;
  const result = { threadId, calls };
  switch (event.body) {
    case 'env':
      result.context = { ...context, remaining: context.getRemainingTimeInMillis() };
      result.env = process.env;
      break;
    case 'log': console.error('to stderr'); process.stdout.write('in two lines\\nwithout a line end'); break;
    case 'throw': throw new RangeError('thrown');
    case 'circular': result.self = result; return result;
    case 'exit': process.exit(7);
    case 'crash': setTimeout(() => { throw new Error('late'); }, 0); await new Promise(() => {});
    case 'fill': for (const all = []; ; ) all.push(Array.from({ length: 10_000 }, () => ({})));
    case 'post':
      if (!isMainThread) for (const message of messages) parentPort.postMessage(message);
      result.workerData = Object.keys(workerData);
      break;
    case 'flood': for (;;) console.log('flood'.repeat(10_000));
    case 'characters': for (let count = 0; count < 100_000; count += 1) process.stdout.write('x'); break;
    case 'lines': process.stdout.write('\\n'.repeat(2 ** 20)); break;
    case 'block': execFileSync('sh', ['-c', 'while test -e "$0"; do sleep 0.1; done', __filename]); break;
    case 'global': globalThis.shared = (globalThis.shared ?? 0) + 1; result.shared = globalThis.shared; break;
  }
  return { statusCode: 200, body: JSON.stringify(result) };
};`;
/** The handler of this function returns once three threads run it. */
const gathering = `
const { readdirSync, writeFileSync } = require('node:fs');
const { threadId } = require('node:worker_threads');
console.log('begins to load');
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
console.log('ends loading');
exports.handler = async () => {
  writeFileSync(__dirname + '/thread-' + threadId, '');
  const count = () => readdirSync(__dirname).filter((name) => name.startsWith('thread-')).length;
  while (count() < 3) await new Promise((resolve) => setTimeout(resolve, 10));
  return { statusCode: 200 };
};`;
const functions = {
  Command: commanded,
  Unhurried: commanded,
  Gathering: gathering,
  Never: `throw new Error('never');`,
  Module: `export const handler = async () => ({ statusCode: 200, body: await Promise.resolve('a module') });`,
};
const fixture = {
  functions,
  properties: {
    Unhurried: { Timeout: 20, MemorySize: 32 },
    Module: { Handler: 'code/main.handler' },
    Gathering: { Timeout: 60 },
    Command: {
      Timeout: 1,
      FunctionName: 'command',
      Environment: { Variables: { TABLE: ref('Table'), COUNT: 3, GONE: ref('AWS::NoValue') } },
    },
  },
  resources: {
    ...restApi(),
    ...Object.assign({}, ...Object.keys(functions).map((id) => method(id, 'POST', arnOf(id)))),
    Table: table('id', 'S'),
  },
};

let emulator: TestEmulator;
beforeAll(async () => {
  process.env.AWS_PROFILE = 'of-the-user';
  emulator = await startTestEmulator(fixture);
});
afterAll(() => emulator.stop());

const command = async (body: string, path = '/Command') => {
  const { status, text } = await send(emulator.url, path, { method: 'POST', body });
  return { status, result: status === 200 && text.startsWith('{') ? JSON.parse(text) : text };
};

test('gives a function Lambda’s environment variables and context, and none of this machine’s variables', async () => {
  const { env, context } = (await command('env')).result;
  expect(env).toEqual({
    AWS_REGION: 'us-east-1',
    AWS_DEFAULT_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_SESSION_TOKEN: 'local',
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_LAMBDA_FUNCTION_NAME: 'command',
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '128',
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_GROUP_NAME: '/aws/lambda/command',
    AWS_LAMBDA_LOG_STREAM_NAME: expect.stringMatching(/^\d{4}\/\d\d\/\d\d\/\[\$LATEST\]/),
    AWS_LAMBDA_LOG_FORMAT: 'Text',
    AWS_ENDPOINT_URL_DYNAMODB: emulator.dynamodbEndpoint,
    LAMBDA_TASK_ROOT: expect.stringMatching(/bundles\/command$/),
    _HANDLER: 'index.handler',
    _X_AMZN_TRACE_ID: expect.stringMatching(/^Root=1-[0-9a-f]{8}-[0-9a-f]{24}$/),
    PATH: '/usr/local/bin:/usr/bin:/bin',
    LANG: 'en_US.UTF-8',
    TZ: ':UTC',
    TABLE: 'Table',
    COUNT: '3',
  });
  expect(context).toMatchObject({
    awsRequestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    invokedFunctionArn: 'arn:aws:lambda:us-east-1:123456789012:function:command',
    functionName: 'command',
    functionVersion: '$LATEST',
    memoryLimitInMB: '128',
    logGroupName: '/aws/lambda/command',
  });
  expect(context.remaining).toBeGreaterThan(800);
  expect(context.remaining).toBeLessThanOrEqual(1000);
});

test('logs a function’s output line by line, before the response is sent', async () => {
  await command('log');
  expect(emulator.lines).toEqual(
    expect.arrayContaining(['to stderr', 'in two lines', 'without a line end']),
  );
});

// recorded/rows.ts tests more failures.
test.each([
  ['throws', '/Command', 'throw', '"errorType":"RangeError","errorMessage":"thrown"'],
  [
    'returns something that is not JSON',
    '/Command',
    'circular',
    'Converting circular structure to JSON',
  ],
  [
    'exits',
    '/Command',
    'exit',
    'command: Runtime.ExitError: Runtime exited with error: exit status 7',
  ],
  ['throws outside the handler', '/Command', 'crash', 'Error: late'],
  [
    'logs in an endless loop',
    '/Command',
    'flood',
    'left out\ncommand: Sandbox.Timedout: Task timed out',
  ],
  ['fills its memory', '/Unhurried', 'fill', 'unhurried: Runtime.OutOfMemory: '],
])(
  'responds with 502 and runs the next invocation when a function %s',
  async (_, path, body, logged) => {
    expect((await command(body, path)).status).toBe(502);
    const end = emulator.lines.slice(-3).map((line) => line.slice(-1_000));
    expect(end.join('\n')).toContain(logged);
    expect((await command('', path)).status).toBe(200);
  },
);

test('responds with 502 to each of several concurrent requests when a function cannot be loaded', async () => {
  const responses = await Promise.all(Array.from({ length: 3 }, () => command('', '/Never')));
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 502));
  expect(emulator.failures).toEqual(['never cannot be loaded (Error: never): fix its code']);
});

test('runs an ES module in a subfolder', async () => {
  expect((await command('', '/Module')).result).toBe('a module');
});

test.each([
  ['100,000 writes', 'characters', 38_837],
  ['1,048,576 empty lines', 'lines', 0],
])(
  'logs only the first 1 MB of %s, in which each write and each line break counts as 26 characters more',
  async (_what, name, expected) => {
    const logged = emulator.lines.length;
    expect((await command(name, '/Unhurried')).status).toBe(200);
    // A thread of the test before may end only now.
    const lines = emulator.lines.slice(logged).filter((line) => !line.startsWith('never: '));
    expect(lines.pop()).toBe('The function has logged 1 MB: any further output is left out');
    expect(lines.length).toBeLessThan(50_000);
    expect(lines.join('')).toHaveLength(expected);
  },
);

test('ignores messages that a function posts to its parent thread', async () => {
  expect((await command('post')).result).toMatchObject({
    calls: expect.any(Number),
    workerData: [],
  });
});

test('when native code blocks a worker, a new worker starts, and the emulator can still be stopped', async () => {
  const assembly = await writeAssembly(fixture);
  const { child, url } = await startEmulatorProcess(assembly);
  const post = (body: string) => send(url, '/Command', { method: 'POST', body });
  expect((await post('block')).status).toBe(502);
  expect((await post('')).status).toBe(200);
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
  // The code blocks until its file is removed.
  await rm(assembly, { recursive: true });
});

test('starts workers one after another when requests arrive in a burst', async () => {
  const burst = await Promise.all(Array.from({ length: 12 }, () => command('', '/Gathering')));
  expect(burst.map(({ status }) => status)).toEqual(burst.map(() => 200));
  const loads = emulator.lines.filter((line) => /^(begins to|ends) load/.test(line));
  expect(loads).toEqual(
    loads.map((_, index) => (index % 2 === 0 ? 'begins to load' : 'ends loading')),
  );
});

test('keeps a worker’s globals for its next invocation, separate from the emulator’s globals', async () => {
  const [one, two] = [await command('global'), await command('global')];
  expect([two.result.threadId, two.result.calls]).toEqual([
    one.result.threadId,
    one.result.calls + 1,
  ]);
  expect([one.result.shared, two.result.shared]).toEqual([1, 2]);
  expect(globalThis).not.toHaveProperty('shared');
});

test('frees both ports when the emulator stops in the middle of an invocation', async () => {
  const looping = command('flood').catch(() => undefined);
  await Promise.all([emulator.stop(), emulator.stop(), emulator.stopped]);
  await looping;

  await expect(fetch(emulator.dynamodbEndpoint)).rejects.toThrow();
  await expect(fetch(emulator.url)).rejects.toThrow();
});
