import { createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import { authorizeEvent, createPlantEvent, tokenItem } from './events.ts';
import { type RunningFunction, startFunction } from './running-function.ts';
import { json, type ScriptedStore, startStore } from './scripted-store.ts';

const functions: RunningFunction[] = [];
const stores: ScriptedStore[] = [];
const servers: Server[] = [];

async function started(name: string, environment: Record<string, string>): Promise<RunningFunction> {
  const running = await startFunction(name, environment);
  functions.push(running);
  return running;
}

async function storeWith(reply: object): Promise<ScriptedStore> {
  const store = await startStore(json(200, reply));
  stores.push(store);
  return store;
}

afterEach(async () => {
  await Promise.all(functions.splice(0).map((running) => running.stop()));
  await Promise.all(stores.splice(0).map((store) => store.stop()));
  // Jest waits for open servers, so a test that fails must not leave one.
  for (const server of servers.splice(0)) server.close();
});

/** Reaches the table, and waits for the warm-up however busy this machine is. */
function reaching(store: ScriptedStore): Record<string, string> {
  return { AWS_ENDPOINT_URL_DYNAMODB: store.endpoint, TIMER_FACTOR: '100' };
}

const plant = createPlantEvent('{"id":1,"name":"Ficus"}');

describe.each<[string, object, object]>([
  ['create-plant', plant, {}],
  ['authorize', authorizeEvent, { Item: tokenItem }],
])('init of %s', (name, event, reply) => {
  test('opens the connection of the first request, and neither reads nor writes', async () => {
    const store = await storeWith(reply);
    const running = await started(name, reaching(store));
    expect(store.requests).toMatchObject([{ operation: 'GET', body: {} }]);

    await running.invoke(event);
    expect(store.connected()).toBe(1);
  });

  test('succeeds if DynamoDB cannot be reached', async () => {
    const running = await started(name, { AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1' });
    await expect(running.invoke(event)).resolves.toBeDefined();
  });

  test('succeeds if DynamoDB never responds', async () => {
    const endpoint = await endpointOf(createServer());
    const running = await started(name, { AWS_ENDPOINT_URL_DYNAMODB: endpoint });
    expect(running.pid).toBeGreaterThan(0);
  });

  test('succeeds without credentials, and the first request fails with their names', async () => {
    const store = await storeWith(reply);
    const running = await started(name, {
      ...reaching(store),
      AWS_ACCESS_KEY_ID: '',
    });
    const { result, error } = await running.invoke(event);
    expect(error ?? JSON.stringify(result)).toMatch(/environment variable credentials|"error\\":1500/);
    expect(store.requests.filter(({ operation }) => operation !== 'GET')).toEqual([]);
  });
});

test('a request succeeds on a new connection if the old one was closed while the function was frozen', async () => {
  const store = await storeWith({});
  const running = await started('create-plant', reaching(store));
  await running.invoke(plant);

  process.kill(running.pid, 'SIGSTOP');
  for (const connection of store.connections) connection.destroy();
  process.kill(running.pid, 'SIGCONT');

  await expect(running.invoke(plant)).resolves.toMatchObject({ result: { statusCode: 200 } });
  expect(store.connected()).toBe(2);
});

test('a request succeeds on a new connection if the old one is reset after the request was sent', async () => {
  const store = await storeWith({});
  const running = await started('create-plant', reaching(store));
  await running.invoke(plant);

  // The invocation waits where the function reads first; the connection's end comes behind it.
  process.kill(running.pid, 'SIGSTOP');
  const response = running.invoke(plant);
  await sleep(50);
  for (const connection of store.connections) connection.resetAndDestroy();
  await sleep(50);
  process.kill(running.pid, 'SIGCONT');

  await expect(response).resolves.toMatchObject({ result: { statusCode: 200 } });
  expect(store.connected()).toBe(2);
});

test.each([
  ['an endpoint that cannot be reached', { AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1' }],
  ['an unknown region', { AWS_REGION: 'nowhere-1' }],
])('reads no configuration files during init and request, given %s', async (_name, environment) => {
  const running = await started('create-plant', environment);
  await running.invoke(plant);
  await expect(running.warnings()).resolves.toEqual([]);
});

test('sends the session token of the environment with every request', async () => {
  const store = await storeWith({});
  const running = await started('create-plant', {
    ...reaching(store),
    AWS_SESSION_TOKEN: 'session',
  });
  await running.invoke(plant);
  expect(store.requests.at(-1)?.sessionToken).toBe('session');
});

async function endpointOf(server: Server): Promise<string> {
  servers.push(server);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return `http://127.0.0.1:${address.port}`;
}
