import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { refuseDeadWeight } from '../../lib/functions/bundle/dead-weight.ts';
import { authorizeEvent, createPlantEvent, tokenItem } from './events.ts';
import { type RunningFunction, startFunction } from './running-function.ts';
import { json, type ScriptedStore, startStore } from './scripted-store.ts';

/** What a forced collection may leave more than before, for the jitter of V8's own bookkeeping. */
const HEAP_JITTER_BYTES = 500_000;

describe.each<[string, number, object, object]>([
  ['create-plant', 235_000, createPlantEvent('{"id":1,"name":"Ficus","tag":"indoor"}'), {}],
  ['authorize', 205_000, authorizeEvent, { Item: tokenItem }],
])('the function %s', (name, maxBytes, event, reply) => {
  let store: ScriptedStore;
  let running: RunningFunction;
  const stops: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    store = await startStore(json(200, reply));
    stops.push(store.stop);
    running = await startFunction(name, { AWS_ENDPOINT_URL_DYNAMODB: store.endpoint });
    stops.unshift(running.stop);
  });

  afterAll(async () => {
    for (const stop of stops) await stop();
  });

  test(`has at most ${maxBytes} bytes of code`, () => {
    const code = readdirSync(running.folder).filter((file) => /\.[cm]?js$/.test(file));
    const bytes = code.reduce((sum, file) => sum + statSync(join(running.folder, file)).size, 0);
    expect(bytes).toBeLessThanOrEqual(maxBytes);
  });

  test('makes Node load no web streams', () => {
    expect(readFileSync(join(running.folder, 'function.cjs'), 'utf8')).not.toMatch(/\bReadableStream\b/);
  });

  test('asks the store once per request', async () => {
    store.requests.length = 0;
    for (let call = 0; call < 3; call += 1) await running.invoke(event);
    const operation = name === 'authorize' ? 'GetItem' : 'PutItem';
    expect(store.requests.map((request) => request.operation)).toEqual([operation, operation, operation]);
  });

  test('asks the store nothing about what it refuses by itself', async () => {
    store.requests.length = 0;
    await running.invoke({ ...event, authorizationToken: 'Bearer x', body: '{}' });
    expect(store.requests).toEqual([]);
  });

  test('keeps nothing of the requests that it has answered', async () => {
    const invoke = async (times: number) => {
      for (let call = 0; call < times; call += 1) await running.invoke(event);
      return running.heapBytes();
    };
    await invoke(1_000);
    const before = await invoke(1_000);
    const after = await invoke(3_000);
    expect(after - before).toBeLessThan(HEAP_JITTER_BYTES);
  }, 60_000);
});

describe('a bundle that has', () => {
  test.each([
    'node_modules/ajv/dist/core.js',
    'node_modules/@aws-sdk/credential-provider-sso/dist-es/fromSSO.js',
    'node_modules/@aws-sdk/nested-clients/dist-es/submodules/sts/index.js',
    'node_modules/@aws-sdk/credential-provider-ini/dist-es/fromIni.js',
    'node_modules/@smithy/core/dist-es/submodules/event-streams/EventStreamSerde.js',
    'node_modules/@aws-sdk/client-dynamodb/dist-cjs/index.js',
  ])('%s is refused by that name', (path) => {
    const inputs = { [path]: { bytesInOutput: 1 }, 'lambda/shared/errors.ts': { bytesInOutput: 1 } };
    const output = { bytes: 2, inputs, imports: [], exports: [] };
    expect(() => refuseDeadWeight({ outputs: { 'function.cjs': output } })).toThrow(path);
  });
});
