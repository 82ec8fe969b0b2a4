import { once } from 'node:events';
import { createServer } from 'node:net';
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { withinDeadline } from '../../lambda/dynamodb.ts';
import { primeWith } from '../../lambda/prime.ts';
import { sdkSettings } from '../../lambda/sdk-settings.ts';
import { addressOf } from '../../local/functions/runtime-api.ts';
import { type StoreInMemory, startStoreInMemory } from './store-in-memory.ts';

let store: StoreInMemory;
beforeEach(async () => {
  store = await startStoreInMemory();
  jest.resetModules();
});
afterEach(() => store.stop());

describe.each(['create-plant', 'authorize'])('priming %s', (name) => {
  const prime = async () => {
    const { prime } = await (name === 'authorize'
      ? import('../../lambda/authorize/index.ts')
      : import('../../lambda/create-plant/index.ts'));
    return prime();
  };

  test('writes nothing', async () => {
    await prime();
    const { Count } = await store.client.send(new ScanCommand({ TableName: 'Plants' }));
    expect(Count).toBe(0);
  });

  test('asks the store for nothing but GET /', async () => {
    const heads: string[] = [];
    const listener = createServer((socket) => {
      socket.on('data', (data) => {
        heads.push(String(data).split('\r\n')[0] ?? '');
        socket.end('HTTP/1.1 200 OK\r\nContent-Length: 7\r\n\r\nhealthy');
      });
    }).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    process.env.AWS_ENDPOINT_URL_DYNAMODB = `http://127.0.0.1:${addressOf(listener.address()).port}`;
    await prime();
    listener.close();
    expect(heads).toEqual(['GET / HTTP/1.1']);
  });

  test('fails no init where nobody answers', async () => {
    process.env.AWS_ENDPOINT_URL_DYNAMODB = 'http://127.0.0.1:1';
    await expect(prime()).resolves.toBeUndefined();
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
