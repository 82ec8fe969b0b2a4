import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { operations } from '../../lambda/generated/operations.ts';
import { FUNCTION_NAMES, type FunctionName } from '../../lib/functions/function-names.ts';
import { builtFunction } from '../support/assembly/synthesized-assembly.ts';
import { type ScriptedServer, startScriptedServer } from '../support/servers/scripted-server.ts';
import { exampleOperation } from '../support/service/contract.ts';
import {
  authorizeEvent,
  exampleEvent,
  type FunctionState,
  type RunningFunction,
  startFunction,
  tokenItem,
} from './running-function.ts';

// Each KB makes a cold start longer. If a bundle grows, find out which package it contains now.
test.each<[FunctionName, number]>([
  ...operations.map(({ functionName }): [FunctionName, number] => [functionName, 220]),
  ['authorize', 186],
  ['authorize-oidc', 21],
  ['pre-traffic', 415],
])('the size of each bundle is limited: %s to %d KB', (name, kilobytes) => {
  expect(statSync(join(builtFunction(name), 'function.cjs')).size).toBeLessThan(kilobytes * 1_000);
});

test.each(FUNCTION_NAMES.filter((name) => name !== 'pre-traffic'))(
  'no function refers to ReadableStream, which would load Node’s web streams: %s',
  (name) => {
    const bundle = readFileSync(join(builtFunction(name), 'function.cjs'), 'utf8');
    const [, around] = /(.{0,50}\bReadableStream\b.{0,50})/s.exec(bundle) ?? [];
    expect(around).toBeUndefined();
  },
);

/** Without a leak, the heap grows by up to 25 bytes per request. */
const LEAK_BYTES_PER_REQUEST = 100;

const fault = { statusCode: 400, headers: { 'Retry-After': '1' } };

describe.each<[FunctionName, object, object, object]>([
  [
    exampleOperation.functionName,
    exampleEvent(),
    {},
    { result: { ...fault, body: expect.stringContaining('"error":1500') } },
  ],
  ['authorize', authorizeEvent, { Item: tokenItem }, { error: 'Request aborted' }],
])('the function %s', (name, event, reply, failed) => {
  let dynamodb: ScriptedServer;
  let running: RunningFunction;
  // Leaves out the health check that warms up the function, because it may arrive late on a busy machine.
  const commands = () => dynamodb.requests.flatMap(({ headers }) => headers['x-amz-target'] ?? []);

  beforeAll(async () => {
    dynamodb = await startScriptedServer({ status: 200, body: JSON.stringify(reply) });
    running = await startFunction(name, {
      AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url,
      // A slow machine would exceed the timeouts, and cause retries.
      TIMER_FACTOR: '100',
      // Machine code that V8 adds and discards would hide a leak.
      NODE_OPTIONS: '--jitless',
    });
  });

  test('sends the same commands to DynamoDB for each request', async () => {
    dynamodb.requests.length = 0;
    await running.invoke(event);
    const first = commands();
    await running.invoke(event);
    expect(commands()).toEqual([...first, ...first]);
  });

  test('does not leak memory between requests', async () => {
    const heapAfter = async (requests: number): Promise<number> => {
      await running.invoke(event, requests);
      return (await running.state()).heapBytes;
    };
    const before = await heapAfter(100);
    const after = await heapAfter(100);
    expect((after - before) / 100).toBeLessThan(LEAK_BYTES_PER_REQUEST);
  });

  // The test of client.ts covers the failures that the SDK retries.
  test('fails, and the authorizer other than with Unauthorized, if DynamoDB never finishes its response', async () => {
    const slow = await startScriptedServer({ status: 200, body: neverEndingBody });
    // Divides every timeout by 10, to save time. The test of warm-up.ts checks the real timeout.
    const environment = { AWS_ENDPOINT_URL_DYNAMODB: slow.url, TIMER_FACTOR: '0.1' };
    const quick = await startFunction(name, environment);
    await expect(quick.invoke(event)).resolves.toMatchObject(failed);
  });
});

async function* neverEndingBody() {
  for (yield Buffer.from('{"Attri'); ; yield Buffer.from(' ')) await sleep(20);
}

/** A body can have as many bytes outside its strings. */
const STRUCTURE_BYTES = 400 * 1024;

/** Returns about `bytes` bytes of JSON: an object with an array of copies of `value`. */
const fill = (bytes: number, value: string) =>
  `{"u":[${`${value},`.repeat(Math.floor((bytes - 10) / (value.length + 1)))}${value}]}`;

describe('an operation, given a large body,', () => {
  let running: RunningFunction;
  let coldStart: FunctionState;
  // Otherwise, a body's peak of memory would hide those of the next ones.
  beforeEach(async () => {
    running = await startFunction(exampleOperation.functionName, {
      AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1',
    });
    coldStart = await running.state();
  });

  // Each limit is at least three times the usual ratio. The time is a multiple of the cold start's, because both depend on
  // the machine.
  test.each([
    [10, '400 KB of objects', fill(STRUCTURE_BYTES, '{}')],
    [3, '2.4 MB of objects', fill(2_400_000, '{}')],
    [5, '400 KB of keys', fill(STRUCTURE_BYTES, '{"":0}')],
    [3, '2.4 MB of strings', fill(2_400_000, `"${'x'.repeat(10)}"`)],
    [3, '2.5 MB in one string', `{"name":"${'\\u0078'.repeat(400_000)}"}`],
  ])(
    'uses less than %d times the CPU time of a cold start, and 200 MB of memory, for %s',
    async (coldStarts, _what, body) => {
      const event = exampleEvent(Buffer.from(body).toString('base64'));
      const { result } = await running.invoke({ ...event, isBase64Encoded: true });
      const { cpuSeconds, peakMemoryBytes } = await running.state();
      expect(result).toMatchObject({ statusCode: 400 });
      expect(cpuSeconds / coldStart.cpuSeconds - 1).toBeLessThan(coldStarts);
      expect(peakMemoryBytes - coldStart.peakMemoryBytes).toBeLessThan(200_000_000);
    },
  );
});
