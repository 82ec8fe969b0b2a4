import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { FunctionName } from '../../lib/names.ts';
import { buildCreatePlant, projectWithLargerContract } from '../support/changed-contract.ts';
import { type ScriptedServer, startScriptedServer } from '../support/scripted-server.ts';
import { authorizeEvent, createPlantEvent, tokenItem } from './events.ts';
import { built, type RunningFunction, startFunction } from './running-function.ts';

// Takes about 10 s, because a leak shows only after many requests, and because of the large bodies.

// Each KB makes a cold start longer. If a bundle grows, find out which package it contains now.
test.each<[FunctionName, number]>([
  ['create-plant', 197],
  ['authorize', 185],
  ['authorize-oidc', 20],
  ['pre-traffic', 407],
])('the bundle of %s has %d KB, or at most 1 KB more or less', (name, kilobytes) => {
  const { size } = statSync(join(built(name), 'function.cjs'));
  expect(Math.abs(size / 1_000 - kilobytes)).toBeLessThanOrEqual(1);
});

/** Even without a leak, the heap size varies by up to 90 KB over 1,000 requests. */
const LEAK_BYTES_PER_REQUEST = 200;

describe.each<[FunctionName, object, object]>([
  ['create-plant', createPlantEvent('{"id":1,"name":"Ficus","tag":"indoor"}'), {}],
  ['authorize', authorizeEvent, { Item: tokenItem }],
])('the function %s', (name, event, reply) => {
  let dynamodb: ScriptedServer;
  let running: RunningFunction;
  const stops: (() => Promise<void>)[] = [];
  // Leaves out the health check that warms up the function, because it may arrive late on a busy machine.
  const commands = () => dynamodb.requests.flatMap(({ headers }) => headers['x-amz-target'] ?? []);

  beforeAll(async () => {
    dynamodb = await startScriptedServer({ status: 200, body: JSON.stringify(reply) });
    stops.push(dynamodb.stop);
    running = await startFunction(name, { AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url });
    stops.unshift(running.stop);
  });

  afterAll(async () => {
    for (const stop of stops) await stop();
  });

  test('contains no reference to ReadableStream, which would load Node’s web streams', () => {
    expect(readFileSync(join(running.folder, 'function.cjs'), 'utf8')).not.toMatch(/\bReadableStream\b/);
  });

  test('sends one command to DynamoDB per request', async () => {
    dynamodb.requests.length = 0;
    for (let call = 0; call < 3; call += 1) await running.invoke(event);
    const operation = `DynamoDB_20120810.${name === 'authorize' ? 'GetItem' : 'PutItem'}`;
    expect(commands()).toEqual([operation, operation, operation]);
  });

  test('sends nothing to DynamoDB for an invalid request', async () => {
    dynamodb.requests.length = 0;
    await running.invoke({ ...event, authorizationToken: 'Bearer x', body: '{}' });
    expect(commands()).toEqual([]);
  });

  test('does not leak memory between requests', async () => {
    const heapAfter = async (rounds: number): Promise<number> => {
      // V8 discards unused code only after several garbage collections.
      for (let round = 1; round < rounds; round += 1) {
        await running.invoke(event, 250);
        await running.state();
      }
      await running.invoke(event, 250);
      return (await running.state()).heapBytes;
    };
    const before = await heapAfter(4);
    const after = await heapAfter(2);
    expect((after - before) / 500).toBeLessThan(LEAK_BYTES_PER_REQUEST);
  });
});

/** Limits the CPU time, because the duration depends on how busy the machine is. */
const MAX_CPU_SECONDS = 0.5;
const MAX_MORE_MEMORY_BYTES = 200_000_000;

/** Returns about `bytes` bytes of JSON: an object with an array of copies of `value`. */
const fill = (bytes: number, value: string) =>
  `{"u":[${`${value},`.repeat(Math.floor((bytes - 10) / (value.length + 1)))}${value}]}`;

const NOWHERE = { AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1' };

/**
 * Returns a function that asserts that a request with a given body uses less CPU time and memory than the limits.
 * Memory use is compared with the peak after init.
 */
function boundedFunction(start: () => Promise<RunningFunction>) {
  let running: RunningFunction | undefined;
  let peakOfInit: number;
  afterAll(() => running?.stop());

  /** Restarts the function if earlier bodies have used up half of the memory limit. */
  async function freshFunction(): Promise<RunningFunction> {
    const state = await running?.state();
    if (running && state && state.peakMemoryBytes - peakOfInit < MAX_MORE_MEMORY_BYTES / 2) return running;
    await running?.stop();
    running = await start();
    peakOfInit = (await running.state()).peakMemoryBytes;
    return running;
  }

  return async (body: string) => {
    const { invoke, state } = await freshFunction();
    const idle = await state();
    const event = createPlantEvent(Buffer.from(body).toString('base64'));
    const { result } = await invoke({ ...event, isBase64Encoded: true });
    const used = await state();
    expect(result).toMatchObject({ statusCode: 400 });
    expect(used.cpuSeconds - idle.cpuSeconds).toBeLessThan(MAX_CPU_SECONDS);
    expect(used.peakMemoryBytes - peakOfInit).toBeLessThan(MAX_MORE_MEMORY_BYTES);
  };
}

describe('the function create-plant, given a large body,', () => {
  const structure = 400 * 1024;
  const expectBounded = boundedFunction(() => startFunction('create-plant', NOWHERE));

  test.each([
    ['2.4 MB of objects', fill(2_400_000, '{}')],
    ['400 KB of objects', fill(structure, '{}')],
    ['400 KB of keys', fill(structure, '{"":0}')],
    ['2.4 MB of strings', fill(2_400_000, `"${'x'.repeat(10)}"`)],
    ['2.5 MB in one string', `{"name":"${'\\u0078'.repeat(400_000)}"}`],
    ['nested arrays', `${'['.repeat(structure / 2)}${']'.repeat(structure / 2)}`],
  ])('uses less than 0.5 s of CPU time and 200 MB of memory for %s', async (_name, body) => {
    await expectBounded(body);
  });
});

describe('the function create-plant with a larger contract, given a large body,', () => {
  const project = projectWithLargerContract();
  const folder = join(project.folder, 'built');
  mkdirSync(folder);
  afterAll(project.remove);
  beforeAll(() => buildCreatePlant(project, folder));
  const expectBounded = boundedFunction(() => startFunction('create-plant', NOWHERE, folder));
  const structure = 400 * 1024;
  const list = (item: string) => `[${`${item},`.repeat(structure / (item.length + 1) - 20)}${item}]`;
  const entries = Array.from({ length: structure / 12 }, (_, at) => `"x-${at}":0`).join(',');
  const strings = ['code', 'contact', 'planted', 'watered', 'batch', 'currency', 'light'];
  const inEveryString = (text: string) => {
    const long = text.repeat(2_400_000 / strings.length / text.length);
    return strings.map((name) => `"${name}":"${long} "`).join(',');
  };

  test.each([
    ['wrong items', `"lines":${list('{}')}`],
    ['items with integers above 2^53', `"lines":${list('{"sku":9007199254740993}')}`],
    ['fields', entries],
    ['nested objects', `"part":${'{"part":'.repeat(3_000)}{}${'}'.repeat(3_000)}`],
    ['escapes', `"unknown":"${'\\u0078'.repeat(400_000)}"`],
    ['letters in strings with a format or pattern', inEveryString('a')],
    ['parts in strings with a format or pattern', inEveryString('a@a.')],
    ['digits in strings with a format or pattern', inEveryString('1-')],
  ])('uses less than 0.5 s of CPU time and 200 MB of memory for many %s', async (_what, fields) => {
    await expectBounded(`{"id":9223372036854775807,"name":"Oak",${fields}}`);
  });
});
