import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startEmulator } from '../index.ts';
import { startEmulatorProcess } from './crash/emulator-process.ts';
import { writeAssembly } from './fixtures/assembly.ts';
import { startTestEmulator, type TestEmulator } from './fixtures/emulator.ts';
import { send } from './fixtures/http.ts';
import { arnOf, method, ref, restApi, table } from './fixtures/resources.ts';

/** Does what the body of the request names. */
const commanded = `
const { execFileSync } = require('node:child_process');
const { isMainThread, parentPort, threadId, workerData } = require('node:worker_threads');
const messages = [{ kind: 'result', json: '"forged"' }, { kind: 'output' }, 'text', null];
let calls = 0;
exports.handler = async (event, context) => {
  calls += 1;
  const result = { threadId, calls };
  switch (event.body) {
    case 'env': result.env = process.env; break;
    case 'context': result.context = { ...context, remaining: context.getRemainingTimeInMillis() }; break;
    case 'log': console.error('to stderr'); process.stdout.write('in two lines\\nwithout a line end'); break;
    case 'throw': throw new RangeError('thrown');
    case 'circular': result.self = result; return result;
    case 'exit': process.exit(7);
    case 'crash': setTimeout(() => { throw new Error('late'); }, 0); await new Promise(() => {});
    case 'hang': await new Promise((resolve) => setTimeout(resolve, 60_000));
    case 'spin': console.log('spinning'); for (;;);
    case 'fill': for (const all = []; ; ) all.push(Array.from({ length: 10_000 }, () => ({})));
    case 'post':
      if (!isMainThread) for (const message of messages) parentPort.postMessage(message);
      result.workerData = workerData;
      break;
    case 'flood': for (;;) console.log('flood');
    case 'block': execFileSync('sh', ['-c', 'while test -e "$0"; do sleep 0.1; done', __filename]); break;
    case 'huge': result.huge = 'x'.repeat(7_000_000); break;
    case 'global': globalThis.shared = (globalThis.shared ?? 0) + 1; result.shared = globalThis.shared; break;
  }
  return { statusCode: 200, body: JSON.stringify(result) };
};`;
/** Writes without end, until Enough is invoked; then it fails. */
const runaway = `
const { existsSync, rmSync } = require('node:fs');
const writes = {
  'parts of one line': () => process.stdout.write('x'),
  'nothing but line ends': () => process.stdout.write('\\n'.repeat(1_000_000)),
};
exports.handler = async ({ body }) => {
  const enough = __dirname + '/enough';
  rmSync(enough, { force: true });
  console.log('running away with ' + body);
  while (!existsSync(enough)) for (let count = 0; count < 10; count += 1) writes[body]();
  throw new Error('stopped');
};`;
const enough = `
const { writeFileSync } = require('node:fs');
exports.handler = async () => {
  writeFileSync(__dirname + '/../asset.Runaway/enough', '');
  return { statusCode: 200, body: '' };
};`;
/** Returns when three threads run it, with when each thread began and ended to load it. */
const gathering = `
const { appendFileSync, readFileSync, readdirSync, writeFileSync } = require('node:fs');
const { threadId } = require('node:worker_threads');
const log = (line) => appendFileSync(__dirname + '/initialized', line + '\\n');
log('begins');
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
log('ends');
exports.handler = async () => {
  writeFileSync(__dirname + '/thread-' + threadId, '');
  const count = () => readdirSync(__dirname).filter((name) => name.startsWith('thread-')).length;
  while (count() < 3) await new Promise((resolve) => setTimeout(resolve, 10));
  const initialized = readFileSync(__dirname + '/initialized', 'utf8').trim().split('\\n');
  return { statusCode: 200, body: JSON.stringify({ threadId, initialized }) };
};`;
const never = `throw new Error('never');`;
const esModule = `
const text = await Promise.resolve('a module');
export const handler = async () => ({ statusCode: 200, body: text });`;

const fixture = {
  functions: {
    Command: commanded,
    Unhurried: commanded,
    Runaway: runaway,
    Enough: enough,
    Gathering: gathering,
    Never: never,
  },
  properties: {
    Unhurried: { Timeout: 20 },
    Runaway: { Timeout: 60 },
    Enough: { Timeout: 60 },
    Gathering: { Timeout: 60 },
    Command: {
      Timeout: 1,
      MemorySize: 128,
      FunctionName: 'command',
      Environment: { Variables: { TABLE: ref('Table'), COUNT: 3, GONE: ref('AWS::NoValue') } },
    },
  },
  resources: {
    ...restApi(),
    ...method('command', 'POST', arnOf('Command')),
    ...method('unhurried', 'POST', arnOf('Unhurried')),
    ...method('runaway', 'POST', arnOf('Runaway')),
    ...method('enough', 'POST', arnOf('Enough')),
    ...method('gathering', 'POST', arnOf('Gathering')),
    ...method('never', 'POST', arnOf('Never')),
    Table: table('id', 'S'),
  },
};

let emulator: TestEmulator;
beforeAll(async () => {
  process.env.AWS_PROFILE = 'of-the-user';
  emulator = await startTestEmulator(fixture);
});
afterAll(() => emulator.stop());

const command = async (body: string, path = '/command') => {
  const { status, text } = await send(emulator.url, path, { method: 'POST', body });
  return { status, result: status === 200 && text.startsWith('{') ? JSON.parse(text) : text };
};

test('gives a function the environment variables of Lambda, and none of this machine', async () => {
  expect((await command('env')).result.env).toEqual({
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
    LAMBDA_TASK_ROOT: expect.stringMatching(/asset\.Command$/),
    _HANDLER: 'index.handler',
    _X_AMZN_TRACE_ID: expect.stringMatching(/^Root=1-[0-9a-f]{8}-[0-9a-f]{24}$/),
    PATH: '/usr/local/bin:/usr/bin:/bin',
    LANG: 'en_US.UTF-8',
    TZ: ':UTC',
    TABLE: 'Table',
    COUNT: '3',
  });
});

test('gives a function the context object of Lambda', async () => {
  const { context } = (await command('context')).result;
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

test('logs what a function writes line by line, before its response', async () => {
  await command('log');
  expect(emulator.lines).toEqual(expect.arrayContaining(['to stderr', 'in two lines', 'without a line end']));
});

test.each([
  ['throws', 'throw', '"errorType":"RangeError","errorMessage":"thrown"'],
  ['returns what is not JSON', 'circular', 'Converting circular structure to JSON'],
  ['exits', 'exit', 'command: Runtime.ExitError: Runtime exited with error: exit status 7'],
  ['throws outside of the handler', 'crash', 'Error: late'],
  ['waits beyond its timeout', 'hang', 'Task timed out after 1.00 seconds'],
  ['loops endlessly', 'spin', 'spinning\ncommand: Sandbox.Timedout: Task timed out after 1.00 seconds'],
  ['logs endlessly', 'flood', 'characters are left out\ncommand: Sandbox.Timedout'],
  ['returns more than 6 MB', 'huge', ''],
])('responds with 502 and runs the next invocation when a function %s', async (_, body, logged) => {
  expect((await command(body)).status).toBe(502);
  expect(emulator.lines.join('\n')).toContain(logged);
  expect((await command('')).status).toBe(200);
});

test('responds with 502 and runs the next invocation when a function fills its memory', async () => {
  expect((await command('fill', '/unhurried')).status).toBe(502);
  expect(emulator.lines.join('\n')).toContain('Unhurried: Runtime.OutOfMemory: ');
  expect((await command('', '/unhurried')).status).toBe(200);
});

test('responds with 502 to each of many requests at once when a function cannot be loaded', async () => {
  const responses = await Promise.all(Array.from({ length: 15 }, () => command('', '/never')));
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 502));
  expect(emulator.failures).toEqual(['Never cannot be loaded: fix its code (Error: never)']);
});

test('runs an ES module in a subfolder', async () => {
  const assembly = await writeAssembly({
    functions: { Module: '' },
    properties: { Module: { Handler: 'code/main.handler' } },
    resources: { ...restApi(), ...method('module', 'POST', arnOf('Module')) },
  });
  await mkdir(join(assembly, 'asset.Module', 'code'));
  await writeFile(join(assembly, 'asset.Module', 'code', 'main.mjs'), esModule);
  const options = { dataDir: join(assembly, 'data'), port: 0, dynamodbPort: 0, host: '127.0.0.1' };
  const other = await startEmulator({ ...options, log: () => {} });
  await other.run({ assembly });
  const response = await send(other.url, '/module', { method: 'POST' });
  await other.stop();
  await rm(assembly, { recursive: true });

  expect(response).toMatchObject({ status: 200, text: 'a module' });
});

test.each(['parts of one line', 'nothing but line ends'])(
  'serves other requests, and keeps little, while a function writes %s without end',
  async (what) => {
    const logged = emulator.lines.length;
    const before = process.memoryUsage.rss();
    const runningAway = command(what, '/runaway');
    let largest = 0;
    for (let count = 0; count < 30; count += 1) {
      expect((await command('', '/unhurried')).status).toBe(200);
      largest = Math.max(largest, process.memoryUsage.rss());
    }
    await command('', '/enough');
    expect((await runningAway).status).toBe(502);

    expect(largest - before).toBeLessThan(300e6);
    const lines = emulator.lines.slice(logged);
    expect(lines).toContain(`running away with ${what}`);
    expect(lines.join('\n').length).toBeLessThan(1_100_000);
    expect(lines.length).toBeLessThan(50_000);
    expect(lines).toContainEqual(expect.stringContaining('"errorMessage":"stopped"'));
    expect(lines).toContainEqual(expect.stringMatching(/^Runaway: its log is too long: [1-9]\d* characters/));
  },
);

test('runs code that posts messages to its parent', async () => {
  expect((await command('post')).result).toMatchObject({ calls: expect.any(Number), workerData: {} });
});

test('ends within its limits while native code blocks a function, and starts a new worker for it', async () => {
  const assembly = await writeAssembly(fixture);
  const { child, url } = await startEmulatorProcess(assembly, join(assembly, 'data'));
  const post = (body: string) => send(url, '/command', { method: 'POST', body });
  expect((await post('block')).status).toBe(502);
  expect((await post('')).status).toBe(200);
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
  // Until then, the code blocks.
  await rm(assembly, { recursive: true });
});

test('starts one worker after the other for a burst of requests', async () => {
  const burst = Array.from({ length: 12 }, () => command('', '/gathering'));
  const results = (await Promise.all(burst)).map(({ result }) => result);
  expect(new Set(results.map(({ threadId }) => threadId)).size).toBeLessThanOrEqual(10);
  for (const { initialized } of results) {
    const alternating = initialized.map((_: string, index: number) => (index % 2 === 0 ? 'begins' : 'ends'));
    expect(initialized).toEqual(alternating);
  }
});

test('keeps the globals of a worker for its next invocation, and apart from the emulator', async () => {
  const [one, two] = [await command('global'), await command('global')];
  expect([two.result.threadId, two.result.calls]).toEqual([one.result.threadId, one.result.calls + 1]);
  expect([one.result.shared, two.result.shared]).toEqual([1, 2]);
  expect(globalThis).not.toHaveProperty('shared');
});

test('frees both ports when it stops in the middle of an invocation', async () => {
  const other = await startTestEmulator(fixture);
  const spinning = send(other.url, '/command', { method: 'POST', body: 'spin' }).catch(() => undefined);
  await Promise.all([other.stop(), other.stop(), other.stopped]);
  await spinning;

  await expect(fetch(other.dynamodbEndpoint)).rejects.toThrow();
  await expect(fetch(other.url)).rejects.toThrow();
});
