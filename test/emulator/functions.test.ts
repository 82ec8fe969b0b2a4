import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startEmulator } from '../../emulator/emulator.ts';
import { writeAssembly } from './fixtures/assembly.ts';
import { send } from './fixtures/http.ts';
import { isAlive } from './fixtures/processes.ts';
import { arnOf, method, ref, restApi, table } from './fixtures/resources.ts';
import { startTestStage, type TestStage } from './fixtures/stage.ts';

/** Does what the body of the request says. */
const obedient = `
let calls = 0;
exports.handler = async (event, context) => {
  calls += 1;
  const answer = { pid: process.pid, calls };
  switch (event.body) {
    case 'env': answer.env = process.env; answer.cwd = process.cwd(); break;
    case 'context': answer.context = { ...context, remaining: context.getRemainingTimeInMillis() }; break;
    case 'log': console.log('to stdout'); console.error('to stderr'); break;
    case 'exit': process.exit(7);
    case 'crash': setTimeout(() => { throw new Error('late'); }, 0); await new Promise(() => {});
    case 'hang': await new Promise((resolve) => setTimeout(resolve, 60_000));
    case 'spin': require('node:fs').writeFileSync('spinning', ''); for (;;);
    case 'sleep': await new Promise((resolve) => setTimeout(resolve, 300)); break;
    case 'huge': answer.huge = 'x'.repeat(7_000_000); break;
  }
  return { statusCode: 200, body: JSON.stringify(answer) };
};`;
/** Breaks at its first load, and not at the next. */
const moody = `
const { existsSync, writeFileSync } = require('node:fs');
if (!existsSync('tried')) { writeFileSync('tried', ''); throw new Error('not yet'); }
exports.handler = async () => ({ statusCode: 200, body: 'now' });`;
const esModule = `
const answer = await Promise.resolve('a module');
export const handler = async () => ({ statusCode: 200, body: answer });`;

const fixture = {
  functions: { Obey: obedient, Moody: moody, Missing: '' },
  properties: {
    Obey: {
      Timeout: 1,
      MemorySize: 256,
      FunctionName: 'obey',
      Environment: { Variables: { TABLE: ref('Table'), COUNT: 3, GONE: ref('AWS::NoValue') } },
    },
  },
  resources: {
    ...restApi(),
    ...method('obey', 'POST', arnOf('Obey')),
    ...method('moody', 'POST', arnOf('Moody')),
    ...method('missing', 'POST', arnOf('Missing')),
    Table: table('id', 'S'),
  },
};

let stage: TestStage;
beforeAll(async () => {
  process.env.AWS_PROFILE = 'the-users-own';
  stage = await startTestStage(fixture);
});
afterAll(() => stage.stop());

const tell = async (body: string, path = '/obey') => {
  const { status, text } = await send(stage.url, path, { method: 'POST', body });
  return { status, answer: status === 200 && text.startsWith('{') ? JSON.parse(text) : text };
};

test('a function has the environment that Lambda gives it, and nothing of this machine', async () => {
  const { env, cwd } = (await tell('env')).answer;
  expect(env).toEqual({
    AWS_REGION: 'us-east-1',
    AWS_DEFAULT_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_SESSION_TOKEN: 'local',
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_LAMBDA_FUNCTION_NAME: 'obey',
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '256',
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_GROUP_NAME: '/aws/lambda/obey',
    AWS_LAMBDA_LOG_STREAM_NAME: expect.stringMatching(/^\d{4}\/\d\d\/\d\d\/\[\$LATEST\]/),
    AWS_LAMBDA_LOG_FORMAT: 'Text',
    AWS_LAMBDA_RUNTIME_API: expect.stringMatching(/^127\.0\.0\.1:\d+$/),
    AWS_ENDPOINT_URL_DYNAMODB: stage.dynamodbEndpoint,
    LAMBDA_TASK_ROOT: cwd,
    _HANDLER: 'index.handler',
    _X_AMZN_TRACE_ID: expect.stringMatching(/^Root=1-[0-9a-f]{8}-[0-9a-f]{24}$/),
    PATH: '/usr/local/bin:/usr/bin:/bin',
    LANG: 'en_US.UTF-8',
    TZ: ':UTC',
    TABLE: 'Table',
    COUNT: '3',
  });
  expect(cwd).toMatch(/asset\.Obey$/);
});

test('a function gets Lambda’s context', async () => {
  const { context } = (await tell('context')).answer;
  expect(context).toMatchObject({
    awsRequestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    invokedFunctionArn: 'arn:aws:lambda:us-east-1:123456789012:function:obey',
    functionName: 'obey',
    functionVersion: '$LATEST',
    memoryLimitInMB: '256',
    logGroupName: '/aws/lambda/obey',
  });
  expect(context.remaining).toBeGreaterThan(800);
  expect(context.remaining).toBeLessThanOrEqual(1000);
});

test('what a function writes is logged line by line', async () => {
  await tell('log');
  expect(stage.lines).toEqual(expect.arrayContaining(['to stdout', 'to stderr']));
});

describe('a function that', () => {
  test.each([
    ['exits', 'exit', 'exit status 7'],
    ['crashes', 'crash', 'exit status 1'],
    ['waits for too long', 'hang', 'Task timed out after 1.00 seconds'],
    ['computes for too long', 'spin', 'Task timed out after 1.00 seconds'],
    ['answers too much', 'huge', ''],
  ])('%s fails that request only, and says so in the log', async (_, body, logged) => {
    expect((await tell(body)).status).toBe(502);
    expect(stage.lines.join('\n')).toContain(logged);
    expect((await tell('')).status).toBe(200);
  });

  test('fails to load ends the request that waited for it; the next gets a fresh process', async () => {
    const answers = [await tell('', '/moody'), await tell('', '/moody')];
    expect(answers.at(-1)).toEqual({ status: 200, answer: 'now' });
    expect(stage.lines.join('\n')).toContain('not yet');
  });

  test('has no handler ends every request', async () => {
    expect((await tell('', '/missing')).status).toBe(502);
    expect((await tell('', '/missing')).status).toBe(502);
    expect(stage.lines.join('\n')).toContain('index.handler is undefined or not a function');
  });

  test('is an ES module in a folder runs too', async () => {
    const assembly = await writeAssembly({
      functions: { Module: '' },
      properties: { Module: { Handler: 'code/main.handler' } },
      resources: { ...restApi(), ...method('module', 'POST', arnOf('Module')) },
    });
    await mkdir(join(assembly, 'asset.Module', 'code'));
    await writeFile(join(assembly, 'asset.Module', 'code', 'main.mjs'), esModule);
    const dataDir = join(assembly, 'data');
    const log = () => {};
    const other = await startEmulator({
      assembly,
      dataDir,
      port: 0,
      dynamodbPort: 0,
      host: '127.0.0.1',
      log,
    });
    expect(await send(other.url, '/module', { method: 'POST' })).toMatchObject({
      status: 200,
      text: 'a module',
    });
    await other.stop();
    await rm(assembly, { recursive: true });
  });
});

test('a process has one invocation at a time, and waiting ones get more processes', async () => {
  const began = Date.now();
  const answers = await Promise.all(Array.from({ length: 12 }, () => tell('sleep')));
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  const processes = new Set(answers.map(({ answer }) => answer.pid));
  expect(processes.size).toBeGreaterThan(2);
  // One after the other they would take 3.6 s.
  expect(Date.now() - began).toBeLessThan(3_000);
  const one = await tell('');
  // It answers before it asks for the next invocation.
  await sleep(20);
  const two = await tell('');
  expect([two.answer.pid, two.answer.calls]).toEqual([one.answer.pid, one.answer.calls + 1]);
});

describe('no process outlives', () => {
  test('a stop, not even one in the middle of an invocation', async () => {
    const other = await startTestStage(fixture);
    const { answer } = { answer: JSON.parse((await send(other.url, '/obey', { method: 'POST' })).text) };
    const hanging = send(other.url, '/obey', { method: 'POST', body: 'hang' }).catch(() => undefined);
    await Promise.all([other.stop(), other.stop()]);
    await hanging;
    expect(isAlive(answer.pid)).toBe(false);
    await expect(fetch(other.dynamodbEndpoint)).rejects.toThrow();
    await expect(fetch(other.url)).rejects.toThrow();
  });

  test.each([
    ['a kill -9 of the stage, not even a function that waits', 'hang', false],
    ['a kill -9 of the stage, not even a function that computes', 'spin', false],
    ['a kill -9 of the stage and of its guard: a function that waits sees it by itself', 'hang', true],
  ])('%s', async (_, body, guardToo) => {
    const assembly = await writeAssembly(fixture);
    const script = join(import.meta.dirname, 'fixtures', 'run-stage.ts');
    const child = spawn(process.execPath, [script, assembly], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = await once(createInterface({ input: child.stdout }), 'line');
    const { url, dynamodbEndpoint } = JSON.parse(line);
    const { pid } = JSON.parse((await send(url, '/obey', { method: 'POST' })).text);
    const hanging = send(url, '/obey', { method: 'POST', body }).catch(() => undefined);
    await sleep(50);
    const spinning = join(assembly, 'asset.Obey', 'spinning');
    for (let i = 0; body === 'spin' && i < 40 && !existsSync(spinning); i++) await sleep(20);
    if (guardToo) process.kill(guardOf(child.pid ?? 0), 'SIGKILL');
    child.kill('SIGKILL');
    await Promise.all([once(child, 'exit'), hanging]);
    for (let i = 0; i < 100 && isAlive(pid); i++) await sleep(20);
    expect(isAlive(pid)).toBe(false);
    await sleep(100);
    await expect(fetch(dynamodbEndpoint)).rejects.toThrow();
    await rm(assembly, { recursive: true });
  });
});

/** The shell that ends the functions of a stage with it. */
function guardOf(stage: number): number {
  const processes = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n');
  const guard = processes.find(
    (line) => line.includes('/bin/sh -c trap') && line.split(/\s+/).includes(`${stage}`),
  );
  return Number.parseInt(guard ?? '', 10);
}
