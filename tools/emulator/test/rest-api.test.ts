import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { RespondedRequest } from '../index.ts';
import { startTestEmulator, type TestEmulator } from './fixtures/emulator.ts';
import { send, sendBytes } from './fixtures/http.ts';
import { method, ref, resource, restApi } from './fixtures/resources.ts';

let emulator: TestEmulator;
const responded: RespondedRequest[] = [];

/** Returns the event, or does what its body requests. */
const echo = `exports.handler = async (event) => {
  if (event.body?.startsWith('{"return":')) return JSON.parse(event.body).return;
  if (event.body === 'sleep') await new Promise((resolve) => setTimeout(resolve, 300));
  return { statusCode: 200, body: JSON.stringify({ ...event, body: event.body && event.body.slice(0, 100) }) };
};`;

beforeAll(async () => {
  const observer = { received: () => {}, responded: (request: RespondedRequest) => responded.push(request) };
  const fixture = {
    functions: { Echo: echo },
    resources: {
      ...restApi(),
      ...method('plants', 'POST', ref('Alias')),
      Version: resource('AWS::Lambda::Version', { FunctionName: ref('Echo') }),
      Alias: resource('AWS::Lambda::Alias', {
        FunctionName: ref('Echo'),
        FunctionVersion: { 'Fn::GetAtt': ['Version', 'Version'] },
        Name: 'live',
      }),
    },
  };
  emulator = await startTestEmulator(fixture, { observer });
});

afterAll(() => emulator.stop());

const post = (body: string | Buffer, headers = {}) =>
  send(emulator.url, '/plants', { method: 'POST', body, headers });

describe('the event of a function', () => {
  test('has the fields of API Gateway’s proxy event', async () => {
    const before = Date.now();
    const path = '/plants?a=1&b=x%20y&a=2';
    const headers = { 'X-Twice': ['one', 'two'], 'user-agent': 'a test', 'content-type': 'text/x' };
    const response = await send(emulator.url, path, { method: 'POST', headers, body: 'Grüße' });
    const event = JSON.parse(response.text);
    expect(event).toMatchObject({
      resource: '/plants',
      path: '/plants',
      httpMethod: 'POST',
      headers: { 'X-Twice': 'two', 'user-agent': 'a test', 'X-Forwarded-Proto': 'http' },
      multiValueHeaders: { 'X-Twice': ['one', 'two'], 'content-type': ['text/x'] },
      queryStringParameters: { a: '2', b: 'x y' },
      multiValueQueryStringParameters: { a: ['1', '2'], b: ['x y'] },
      pathParameters: null,
      stageVariables: null,
      body: 'Grüße',
      isBase64Encoded: false,
      requestContext: {
        accountId: '123456789012',
        apiId: 'Api',
        stage: 'v1',
        resourceId: 'Resourceplants',
        resourcePath: '/plants',
        path: '/v1/plants',
        httpMethod: 'POST',
        protocol: 'HTTP/1.1',
        identity: { sourceIp: '127.0.0.1', userAgent: 'a test' },
      },
    });
    expect(event.requestContext).not.toHaveProperty('authorizer');
    expect(event.requestContext.requestTimeEpoch).toBeGreaterThanOrEqual(before);
    expect(response.headers['x-amzn-requestid']).toBe(event.requestContext.requestId);
  });

  test('has null for an empty query', async () => {
    const event = JSON.parse((await post('')).text);
    expect(event).toMatchObject({ queryStringParameters: null, multiValueQueryStringParameters: null });
  });

  test('can have a header and a parameter named __proto__', async () => {
    const response = await send(emulator.url, '/plants?__proto__=1', {
      method: 'POST',
      headers: { __proto__: 'x', 'x-b': '1' },
    });
    expect(JSON.parse(response.text)).toMatchObject({ headers: { 'x-b': '1' } });
  });
});

test('reports an overriding method for the log in printable characters', async () => {
  const headers = { 'X-HTTP-Method-Override': 'GET /plants 200\x85\x9b31m' };
  await send(emulator.url, '/plants', { headers });
  expect(responded.at(-1)?.method).toBe('GET%20/plants%20200%85%9b31m');
});

test('responds to HEAD without a body', async () => {
  const { status, text } = await send(emulator.url, '/plants', { method: 'HEAD' });
  expect({ status, text }).toEqual({ status: 403, text: '' });
});

test('sends the result of a function unchanged', async () => {
  const result = {
    statusCode: 201,
    headers: { 'X-One': 1, 'content-type': 'text/plain' },
    multiValueHeaders: { 'Set-Cookie': ['a=1', 'b=2'] },
    body: Buffer.from('hällo').toString('base64'),
    isBase64Encoded: true,
  };
  const response = await post(JSON.stringify({ return: result }));
  expect(response).toMatchObject({ status: 201, text: 'hällo' });
  expect(response.headers).toMatchObject({
    'x-one': '1',
    'content-type': 'text/plain',
    'set-cookie': ['a=1', 'b=2'],
    'content-length': '6',
  });
});

describe('a body above 10 MB', () => {
  test('is discarded until a client that reads last has sent it', async () => {
    expect(await sendAllThenRead(emulator.url, 12_000_000)).toMatch(
      /^HTTP\/1.1 413 .*exceeded 10485760 bytes/s,
    );
  });

  test('is not waited for if its client sends a byte now and then', async () => {
    expect(await sendSlowly(emulator.url)).toMatch(/^HTTP\/1.1 413 /);
  }, 30_000);
});

const postTo = (query: string, headers = '') =>
  `POST /plants?${query} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n${headers}\r\n`;
const queriesIn = (stream: string) =>
  [...stream.matchAll(/"queryStringParameters":\{"(p\d)"/g)].map(([, query]) => query);

describe('a connection', () => {
  test('gets the responses to pipelined requests in order', async () => {
    const requests = postTo('p1') + postTo('p2') + postTo('p3', 'Connection: close\r\n');
    expect(queriesIn(await sendBytes(emulator.url, requests))).toEqual(['p1', 'p2', 'p3']);
  });

  test('gets 100 Continue before the response it belongs to, never within another', async () => {
    const slow = 'POST /plants?p1 HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nsleep';
    const expecting = (query: string, headers = '') =>
      `POST /plants?${query} HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n${headers}\r\n{}`;
    // The responses to p2 and p3 wait for that to p1.
    const requests = slow + expecting('p2') + expecting('p3', 'Connection: close\r\n');
    const messages = messagesIn(await sendBytes(emulator.url, requests));
    expect(messages.map(({ status, body }) => [status, ...queriesIn(body)])).toEqual([
      [200, 'p1'],
      [100],
      [200, 'p2'],
      [100],
      [200, 'p3'],
    ]);
  });

  const sleeping = (headers = '') =>
    `POST /plants?p1 HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n${headers}\r\nsleep`;
  test.each<[string, string, boolean, number[]]>([
    ['shuts its side down', sleeping(), true, [200]],
    ['shuts its side down without waiting for 100', sleeping('Expect: 100-continue\r\n'), true, [100, 200]],
    ['sends more than its last request', sleeping('Connection: close\r\n') + postTo('p2'), false, [200]],
    ['sends what is not a request', `${sleeping()}nonsense\r\n\r\n`, false, [200, 400]],
    ['breaks a second request off', sleeping() + postTo('p2').slice(0, 30), true, [200, 400]],
  ])('gets the response to a request if the client then %s', async (_, bytes, shutdown, statuses) => {
    const messages = messagesIn(await sendBytes(emulator.url, bytes, shutdown));
    expect(messages.map(({ status }) => status)).toEqual(statuses);
    expect(messages.flatMap(({ body }) => queriesIn(body))).toEqual(['p1']);
  });

  test('leaves the emulator running when it is reset within a request', async () => {
    const half = 'POST /plants HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf';
    await Promise.all(Array.from({ length: 20 }, () => breakOff(emulator.url, half)));
    expect((await post('{}')).status).toBe(200);
  });
});

async function breakOff(base: string, bytes: string): Promise<void> {
  const { hostname, port } = new URL(base);
  await new Promise<void>((resolve) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(bytes, () => {
        socket.resetAndDestroy();
        resolve();
      });
    });
  });
}

async function sendAllThenRead(base: string, bytes: number): Promise<string> {
  const { hostname, port } = new URL(base);
  const socket = connect(Number(port), hostname).pause();
  const head = `POST /plants HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytes}\r\n\r\n`;
  await new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.write(Buffer.concat([Buffer.from(head), Buffer.alloc(bytes)]), resolve);
  });
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return text;
}

/** Sends the head of a request, then a byte now and then until the server closes the connection. */
async function sendSlowly(base: string): Promise<string> {
  const { hostname, port } = new URL(base);
  const socket = connect(Number(port), hostname);
  // Writing to a connection that the server has closed fails.
  socket.on('error', () => {});
  socket.write('POST /plants HTTP/1.1\r\nHost: x\r\nContent-Length: 12000000\r\n\r\n');
  const timer = setInterval(() => socket.write('x'), 50);
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  clearInterval(timer);
  return text;
}

/** The HTTP messages in a stream, each as long as its own Content-Length. */
function messagesIn(stream: string): { status: number; body: string }[] {
  const messages: { status: number; body: string }[] = [];
  for (let rest = stream; rest !== ''; ) {
    const [head = '', code] = /^HTTP\/1\.1 (\d{3}) .*?\r\n\r\n/s.exec(rest) ?? [];
    if (code === undefined) throw new Error(`not an HTTP message: ${rest.slice(0, 100)}`);
    const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
    messages.push({ status: Number(code), body: rest.slice(head.length, head.length + length) });
    rest = rest.slice(head.length + length);
  }
  return messages;
}
