import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { announcedEmulator, announceEmulator, type RespondedRequest } from '../index.ts';
import { startTestEmulator, type TestEmulator } from './fixtures/emulator.ts';
import { send, sendBytes } from './fixtures/http.ts';
import { method, ref, resource, restApi } from './fixtures/resources.ts';

let emulator: TestEmulator;
const responded: RespondedRequest[] = [];

/** This function returns its event, or runs the command in the event's body. */
const echo = `exports.handler = async (event) => {
  if (event.body?.startsWith('{"return":')) return JSON.parse(event.body).return;
  if (event.body === 'sleep') await new Promise((resolve) => setTimeout(resolve, 100));
  return { statusCode: 200, body: JSON.stringify(event) };
};`;

beforeAll(async () => {
  const observer = {
    received: () => {},
    responded: (request: RespondedRequest) => responded.push(request),
  };
  const fixture = {
    functions: { Echo: echo },
    resources: {
      ...restApi(),
      ...method('plants', 'POST', ref('Alias')),
      Alias: resource('AWS::Lambda::Alias', { FunctionName: ref('Echo'), Name: 'live' }),
    },
  };
  emulator = await startTestEmulator(fixture, { observer });
});
afterAll(() => emulator.stop());

// recorded/rows.ts tests the other fields of the event, and more results.
test('sends the fields of API Gateway’s proxy event to a function', async () => {
  const before = Date.now();
  const headers = { 'X-Twice': ['one', 'two'], 'user-agent': 'a test', 'content-type': 'text/x' };
  const response = await send(emulator.url, '/plants', { method: 'POST', headers, body: 'Grüße' });
  const event = JSON.parse(response.text);
  expect(event).toMatchObject({
    resource: '/plants',
    path: '/plants',
    httpMethod: 'POST',
    headers: { 'X-Twice': 'two', 'user-agent': 'a test', 'X-Forwarded-Proto': 'http' },
    multiValueHeaders: { 'X-Twice': ['one', 'two'], 'content-type': ['text/x'] },
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

test('sends the status, cookies and decoded body that a function returns', async () => {
  const result = {
    statusCode: 201,
    multiValueHeaders: { 'Set-Cookie': ['a=1', 'b=2'] },
    body: Buffer.from('hällo').toString('base64'),
    isBase64Encoded: true,
  };
  const body = JSON.stringify({ return: result });
  const headers = { 'set-cookie': ['a=1', 'b=2'], 'content-length': '6' };
  const response = await send(emulator.url, '/plants', { method: 'POST', body });
  expect(response).toMatchObject({ status: 201, text: 'hällo', headers });
});

test('reports the method in X-HTTP-Method-Override to the observer in printable characters', async () => {
  const headers = { 'X-HTTP-Method-Override': 'GET /plants 200\x85\x9b31m' };
  await send(emulator.url, '/plants', { headers });
  expect(responded.at(-1)?.method).toBe('GET%20/plants%20200%85%9b31m');
});

/** Announces a body of 12 MB, calls `write` to send some or all of it, and returns the response. */
async function postTooMuch(write: (socket: Socket) => unknown): Promise<string> {
  const { hostname, port } = new URL(emulator.url);
  // Ignores errors, because writing fails once the server has closed the connection.
  const socket = connect(Number(port), hostname).on('error', () => {});
  await once(socket, 'connect');
  socket.write('POST /plants HTTP/1.1\r\nHost: x\r\nContent-Length: 12000000\r\n\r\n');
  await write(socket);
  return text(socket);
}

test('reads all of a body above 10 MB, for a client that sends everything before it reads the response', async () => {
  const writeAll = (socket: Socket) =>
    new Promise((resolve) => socket.write(Buffer.alloc(12_000_000), resolve));
  expect(await postTooMuch(writeAll)).toMatch(/^HTTP\/1.1 413 .*exceeded 10485760 bytes/s);
});

// The emulator closes the connection after 3 s; Node would close it after 30 s.
test('does not wait for the rest of a body above 10 MB if the client sends it slowly', async () => {
  const writeSlowly = (socket: Socket) => {
    const timer = setInterval(() => socket.write('x'), 50);
    socket.on('close', () => clearInterval(timer));
  };
  expect(await postTooMuch(writeSlowly)).toMatch(/^HTTP\/1.1 413 /);
}, 20_000);

const post = (query: string, body: string, headers = '') =>
  `POST /plants?${query} HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n${headers}\r\n${body}`;
/** The statuses and queries in the responses, in order. */
const summary = (responses: string) =>
  responses.match(/(?<=HTTP\/1\.1 )\d{3}|(?<="queryStringParameters":\{")p\d/g)?.join(' ');
const expecting = 'Expect: 100-continue\r\n';
const last = 'Connection: close\r\n';

test('sends the responses to pipelined requests in order, each after its own 100 Continue', async () => {
  // The responses to p2 and p3 wait for the response to p1.
  const requests = [
    post('p1', 'sleep'),
    post('p2', '{}', expecting),
    post('p3', '{}', expecting + last),
  ];
  expect(summary(await sendBytes(emulator.url, requests.join('')))).toBe(
    '200 p1 100 200 p2 100 200 p3',
  );
});

test.each([
  ['shuts down its side of the connection', post('p1', 'sleep'), true, '200 p1'],
  [
    'sends another request after one with Connection: close',
    post('p1', 'sleep', last) + post('p2', ''),
    false,
    '200 p1',
  ],
  ['sends malformed HTTP', `${post('p1', 'sleep')}nonsense\r\n\r\n`, false, '200 p1 400'],
])(
  'sends the response even if the client, after its request, %s',
  async (_, bytes, shutdown, responses) => {
    expect(summary(await sendBytes(emulator.url, bytes, shutdown))).toBe(responses);
  },
);

test('other commands find an emulator only while it responds to its id, and it removes only its own file', async () => {
  const { dataDir, url } = emulator;
  const file = join(dataDir, 'emulator.json');
  const withdraw = await announceEmulator(dataDir, emulator);
  const own = readFileSync(file, 'utf8');
  await expect(announcedEmulator(dataDir)).resolves.toMatchObject({ url });
  await expect(announceEmulator(dataDir, emulator)).rejects.toThrow(
    /^The emulator at http:\S+ uses the data folder \S+: set DATA_DIR to another folder$/,
  );
  for (const gone of [{ id: 'another' }, { url: 'http://127.0.0.1:1' }]) {
    writeFileSync(file, JSON.stringify({ ...JSON.parse(own), ...gone }));
    await expect(announcedEmulator(dataDir)).resolves.toBeUndefined();
  }
  await withdraw();
  expect(existsSync(file)).toBe(true);
  writeFileSync(file, own);
  await withdraw();
  expect(existsSync(file)).toBe(false);
});
