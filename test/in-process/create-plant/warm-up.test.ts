import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { tokensTable } from '../../../lambda/authorize/tokens-table.ts';
import { plantsTable } from '../../../lambda/create-plant/plants-table.ts';
import { dynamodbClient, sdkSettings, withTimeout } from '../../../lambda/shared/dynamodb/client.ts';
import { runWarmUp, warmUpClient } from '../../../lambda/shared/dynamodb/warm-up.ts';
import { addressOf } from '../../../tools/emulator/listen.ts';

/** Warms up each command once, and expects the warm-up to reject with the given HTTP status. */
async function warmUpAll(endpoint: string, httpStatusCode: number): Promise<void> {
  process.env.AWS_ENDPOINT_URL_DYNAMODB = endpoint;
  const client = dynamodbClient();
  const error = { $metadata: { httpStatusCode, attempts: 1 } };
  const plant = plantsTable(warmUpClient(client), 'Plants')({ id: 0n, name: '' });
  await expect(plant).rejects.toMatchObject({ cause: error });
  await expect(tokensTable(warmUpClient(client), 'Tokens')('')).rejects.toMatchObject(error);
}

afterEach(() => {
  jest.restoreAllMocks();
});

describe('a warm-up client', () => {
  const received: string[] = [];
  const connections: Socket[] = [];
  let server: Server;
  let response: string | undefined;
  beforeEach(async () => {
    received.length = 0;
    connections.length = 0;
    process.env.AWS_REGION = 'us-east-1';
    process.env.AWS_ACCESS_KEY_ID = 'local';
    process.env.AWS_SECRET_ACCESS_KEY = 'local';
    server = createServer((socket) => {
      connections.push(socket);
      socket.on('data', (data) => {
        received.push(String(data));
        socket.write(response ?? '');
      });
      if (response === undefined) socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    server.close();
    // A document client cannot close its connections.
    for (const connection of connections) connection.destroy();
  });
  const url = () => `http://127.0.0.1:${addressOf(server.address()).port}`;

  test('sends only GET /, over one connection that stays open', async () => {
    response = 'HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nhealthy';
    await warmUpAll(url(), 200);
    expect(received).toHaveLength(2);
    for (const text of received) {
      expect(text).toMatch(/^GET \/ HTTP\/1\.1\r\n/);
      expect(text).not.toMatch(/authorization|x-amz|Plants|Tokens/i);
    }
    expect(connections).toHaveLength(1);
  });

  test('does not retry if DynamoDB cannot be reached', async () => {
    response = undefined;
    await warmUpAll(url(), 400);
    expect(connections).toHaveLength(2);
  });

  test('does not change the client that it was created from', async () => {
    response = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}';
    process.env.AWS_ENDPOINT_URL_DYNAMODB = url();
    const client = dynamodbClient();
    warmUpClient(client);
    await plantsTable(client, 'Plants')({ id: 1n, name: 'Ficus' });
    expect(received.join('')).toMatch(/^POST \/ .*PutItem/s);
  });
});

describe('runWarmUp', () => {
  test.each([
    ['never ends', () => new Promise(() => {})],
    ['rejects', () => Promise.reject(new Error('no DynamoDB'))],
  ])('resolves even if the command %s', async (_what, command) => {
    await expect(runWarmUp(command)).resolves.toBeUndefined();
  });

  test('waits for the command, and leaves no timer running', async () => {
    const set = jest.spyOn(globalThis, 'setTimeout');
    const clear = jest.spyOn(globalThis, 'clearTimeout');
    let ended = false;
    await runWarmUp(async () => {
      ended = true;
    });
    expect(ended).toBe(true);
    expect(set).toHaveBeenCalledWith(expect.any(Function), 250);
    expect(clear.mock.calls).toContainEqual([set.mock.results[0]?.value]);
  });
});

test('withTimeout aborts after 5 seconds, and leaves no timer running', async () => {
  const set = jest.spyOn(globalThis, 'setTimeout');
  const clear = jest.spyOn(globalThis, 'clearTimeout');
  const signal = await withTimeout(async ({ abortSignal }) => abortSignal);
  expect(set).toHaveBeenCalledWith(expect.any(Function), 5_000);
  expect(clear.mock.calls).toEqual([[set.mock.results[0]?.value]]);
  set.mock.calls[0]?.[0]();
  expect(signal.aborted).toBe(true);
});

test('sdkSettings returns the endpoint from the environment variable if the variable is set', () => {
  Object.assign(process.env, { AWS_REGION: 'us-east-1', AWS_ENDPOINT_URL_DYNAMODB: 'http://dynamodb' });
  expect(sdkSettings()).toMatchObject({ endpoint: 'http://dynamodb', region: 'us-east-1' });
  expect(sdkSettings().endpointProvider?.({})).toEqual({ url: new URL('http://dynamodb') });
  process.env.AWS_ENDPOINT_URL_DYNAMODB = '';
  expect(sdkSettings()).not.toHaveProperty('endpoint');
});
