import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { afterAll, afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { addressOf } from '../../../emulator/listen.ts';
import { tokensTable } from '../../../lambda/authorize/tokens-table.ts';
import { plantsTable } from '../../../lambda/create-plant/plants-table.ts';
import { dynamodb, withinDeadline } from '../../../lambda/shared/dynamodb.ts';
import { sdkSettings } from '../../../lambda/shared/sdk-settings.ts';
import { primeWith } from '../../../lambda/shared/warm-up.ts';
import { rehearse } from '../../../lambda/shared/warm-up-client.ts';

/** One rehearsal of each command, each of which ends as if the store had said something of this HTTP status. */
async function rehearseAll(endpoint: string, httpStatusCode: number): Promise<void> {
  process.env.AWS_ENDPOINT_URL_DYNAMODB = endpoint;
  const client = dynamodb();
  const error = { $metadata: { httpStatusCode, attempts: 1 } };
  const plant = plantsTable(rehearse(client), 'Plants')({ id: 0n, name: '' });
  await expect(plant).rejects.toMatchObject({ cause: error });
  await expect(tokensTable(rehearse(client), 'Tokens')('')).rejects.toMatchObject(error);
}

describe('a rehearsal', () => {
  const received: string[] = [];
  const connections: Socket[] = [];
  let server: Server;
  let answer: string | undefined;
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
        socket.write(answer ?? '');
      });
      if (answer === undefined) socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    server.close();
    // A document client can't be destroyed, and keeps its connections.
    for (const connection of connections) connection.destroy();
  });
  const url = () => `http://127.0.0.1:${addressOf(server.address()).port}`;

  test('asks the store for nothing but GET /, over one connection that stays', async () => {
    answer = 'HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nhealthy';
    await rehearseAll(url(), 200);
    expect(received).toHaveLength(2);
    for (const text of received) {
      expect(text).toMatch(/^GET \/ HTTP\/1\.1\r\n/);
      expect(text).not.toMatch(/authorization|x-amz|Plants|Tokens/i);
    }
    expect(connections).toHaveLength(1);
  });

  test('is not tried again where nobody answers', async () => {
    answer = undefined;
    await rehearseAll(url(), 400);
    expect(connections).toHaveLength(2);
  });

  test('leaves the client itself as it is', async () => {
    answer = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}';
    process.env.AWS_ENDPOINT_URL_DYNAMODB = url();
    const client = dynamodb();
    rehearse(client);
    await plantsTable(client, 'Plants')({ id: 1n, name: 'Ficus' });
    expect(received.join('')).toMatch(/^POST \/ .*PutItem/s);
  });
});

describe('an init', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  test('does not wait for a store that is silent', async () => {
    await expect(primeWith(() => new Promise(() => {}))).resolves.toBeUndefined();
  });

  test('is not failed by a rehearsal that fails', async () => {
    await expect(primeWith(() => Promise.reject(new Error('no store')))).resolves.toBeUndefined();
  });

  test('waits for a rehearsal, and leaves no timer behind it', async () => {
    jest.useFakeTimers();
    let ended = false;
    await primeWith(async () => {
      ended = true;
    });
    expect(ended).toBe(true);
    expect(jest.getTimerCount()).toBe(0);
  });
});

describe('a call to the store', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  test('is given up after five seconds, whatever the store still sends', async () => {
    jest.useFakeTimers();
    const call = withinDeadline(
      ({ abortSignal }) =>
        new Promise((_resolve, reject) => {
          abortSignal.addEventListener('abort', () => reject(new Error('aborted')));
        }),
    );
    const outcome = expect(call).rejects.toThrow('aborted');
    jest.advanceTimersByTime(4_999);
    expect(jest.getTimerCount()).toBe(1);
    jest.advanceTimersByTime(1);
    await outcome;
  });

  test('leaves no timer behind it', async () => {
    jest.useFakeTimers();
    await expect(withinDeadline(async () => 'done')).resolves.toBe('done');
    expect(jest.getTimerCount()).toBe(0);
  });
});

describe('the settings of the SDK', () => {
  afterAll(() => {
    delete process.env.AWS_ENDPOINT_URL_DYNAMODB;
  });

  test('have the endpoint of the environment, and none where it has none', () => {
    process.env.AWS_ENDPOINT_URL_DYNAMODB = 'http://store';
    expect(sdkSettings()).toMatchObject({ endpoint: 'http://store', region: 'us-east-1' });
    process.env.AWS_ENDPOINT_URL_DYNAMODB = '';
    expect(sdkSettings()).not.toHaveProperty('endpoint');
  });
});
