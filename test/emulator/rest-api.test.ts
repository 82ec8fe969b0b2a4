import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestEmulator, type TestEmulator } from './fixtures/emulator.ts';
import { send, sendAndHalfClose, sendBytes } from './fixtures/http.ts';
import { arnOf, gatewayResponse, method, ref, resource, restApi } from './fixtures/resources.ts';

let emulator: TestEmulator;

/** Returns the event, or does what its body requests. */
const echo = `exports.handler = async (event) => {
  if (event.body?.startsWith('{"return":')) return JSON.parse(event.body).return;
  if (event.body === 'throw') throw new Error('a secret');
  if (event.body === 'sleep') await new Promise((resolve) => setTimeout(resolve, 1000));
  return { statusCode: 200, body: JSON.stringify({ ...event, body: event.body && event.body.slice(0, 100) }) };
};`;

beforeAll(async () => {
  emulator = await startTestEmulator({
    functions: { Echo: echo },
    resources: {
      ...restApi({
        Variables: { colour: 'green' },
        MethodSettings: [
          { HttpMethod: '*', ResourcePath: '/*', LoggingLevel: 'INFO' },
          {
            HttpMethod: 'GET',
            ResourcePath: '/~1scarce',
            ThrottlingRateLimit: 0.001,
            ThrottlingBurstLimit: 2,
          },
        ],
      }),
      ...method('plants', 'POST', ref('Alias')),
      ...method('scarce', 'GET', arnOf('Echo')),
      ...method('slow', 'POST', arnOf('Echo'), { integration: { TimeoutInMillis: 200 } }),
      ...method('{proxy+}', 'ANY', arnOf('Echo')),
      Version: resource('AWS::Lambda::Version', { FunctionName: ref('Echo') }),
      Alias: resource('AWS::Lambda::Alias', {
        FunctionName: ref('Echo'),
        FunctionVersion: { 'Fn::GetAtt': ['Version', 'Version'] },
        Name: 'live',
      }),
      Other4XX: gatewayResponse('DEFAULT_4XX', {
        ResponseTemplates: { 'application/json': '{"error":2400,"message":$context.error.messageString}' },
      }),
      TooLarge: gatewayResponse('REQUEST_TOO_LARGE', {
        StatusCode: '413',
        ResponseParameters: { 'gatewayresponse.header.Echo': 'method.request.header.X-Echo' },
        ResponseTemplates: { 'application/json': '{"type":"$context.error.responseType"}' },
      }),
      Failure: gatewayResponse('INTEGRATION_FAILURE', {
        StatusCode: '502',
        ResponseParameters: { 'gatewayresponse.header.Retry-After': "'7'" },
        ResponseTemplates: { 'application/json': '{"id":"$context.requestId"}' },
      }),
    },
  });
});

afterAll(() => emulator.stop());

const post = (body: string | Buffer, headers = {}) =>
  send(emulator.url, '/plants', { method: 'POST', body, headers });
const resultOf = (result: unknown) => post(JSON.stringify({ return: result }));

describe('the event of a function', () => {
  test('has the fields of API Gateway’s proxy event', async () => {
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
      stageVariables: { colour: 'green' },
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
    expect(Math.abs(Date.now() - event.requestContext.requestTimeEpoch)).toBeLessThan(5_000);
    expect(response.headers['x-amzn-requestid']).toBe(event.requestContext.requestId);
  });

  test('has null for an empty body and an empty query', async () => {
    const event = JSON.parse((await post('')).text);
    expect(event).toMatchObject({
      body: null,
      queryStringParameters: null,
      multiValueQueryStringParameters: null,
    });
  });

  test('can have a header and a parameter named __proto__', async () => {
    const response = await send(emulator.url, '/other?__proto__=1', {
      headers: { __proto__: 'x', 'x-b': '1' },
    });
    expect(JSON.parse(response.text)).toMatchObject({ headers: { 'x-b': '1' } });
  });
});

describe('a route', () => {
  test.each([
    ['/plants/', '/plants', null],
    ['/other', '/{proxy+}', { proxy: 'other' }],
    ['/a/b%2Fc/d', '/{proxy+}', { proxy: 'a/b/c/d' }],
    ['/bad%zz', '/{proxy+}', { proxy: 'bad%zz' }],
    ['http://elsewhere.test/plants?x=1', '/plants', null],
  ])('matches %s with %s', async (path, resourcePath, pathParameters) => {
    const response = await send(emulator.url, path, { method: 'POST' });
    expect(JSON.parse(response.text)).toMatchObject({ resource: resourcePath, pathParameters });
  });

  test.each([
    ['GET', '/plants'],
    ['POST', '/'],
    ['POST', '//'],
    ['OPTIONS', '*'],
    ['DELETE', '/plants/'],
  ])('rejects %s %s with Missing Authentication Token', async (verb, path) => {
    const { status, text } = await send(emulator.url, path, { method: verb });
    expect({ status, text }).toEqual({
      status: 403,
      text: '{"error":2400,"message":"Missing Authentication Token"}',
    });
  });

  test('responds to HEAD without a body', async () => {
    const { status, text } = await send(emulator.url, '/plants', { method: 'HEAD' });
    expect({ status, text }).toEqual({ status: 403, text: '' });
  });
});

describe('the REST API, given the result of a function', () => {
  test('sends it unchanged', async () => {
    const response = await resultOf({
      statusCode: 201,
      headers: { 'X-One': 1, 'content-type': 'text/plain' },
      multiValueHeaders: { 'Set-Cookie': ['a=1', 'b=2'] },
      body: Buffer.from('hällo').toString('base64'),
      isBase64Encoded: true,
    });
    expect(response).toMatchObject({ status: 201, text: 'hällo' });
    expect(response.headers).toMatchObject({
      'x-one': '1',
      'content-type': 'text/plain',
      'set-cookie': ['a=1', 'b=2'],
      'content-length': '6',
    });
  });

  test('adds a default content type, and drops headers that API Gateway sets itself', async () => {
    const response = await resultOf({
      statusCode: 200,
      headers: { 'WWW-Authenticate': 'x', 'transfer-encoding': 'y' },
    });
    expect(response.headers).toMatchObject({
      'content-type': 'application/json',
      'x-amzn-remapped-www-authenticate': 'x',
    });
    expect(response.headers).not.toHaveProperty('transfer-encoding');
    expect(response.headers).not.toHaveProperty('www-authenticate');
  });

  test.each([
    ['no status', { body: '' }],
    ['an invalid status', { statusCode: 'many' }],
    ['a body that is not a string', { statusCode: 200, body: {} }],
    ['a header that would split the response', { statusCode: 200, headers: { a: 'b\r\nc: d' } }],
    ['an array', []],
    ['null', null],
  ])('returns INTEGRATION_FAILURE if it has %s', async (_, result) => {
    const response = await resultOf(result);
    expect(response).toMatchObject({ status: 502, text: `{"id":"${response.headers['x-amzn-requestid']}"}` });
    expect(response.headers['retry-after']).toBe('7');
  });

  test('returns INTEGRATION_FAILURE without the message if the function throws', async () => {
    const response = await post('throw');
    expect(response.status).toBe(502);
    expect(response.text).not.toContain('secret');
  });

  test('returns INTEGRATION_TIMEOUT if the function exceeds the timeout of the integration', async () => {
    const response = await send(emulator.url, '/slow', { method: 'POST', body: 'sleep' });
    expect(response).toMatchObject({ status: 504, text: '{"message":"Endpoint request timed out"}' });
  });
});

describe('a large body', () => {
  const expectTooLarge = (response: { status: number; text: string }) =>
    expect(response).toMatchObject({ status: 413, text: '{"type":"REQUEST_TOO_LARGE"}' });

  test('reaches the function if it has 5 MB', async () => {
    expect((await post('x'.repeat(5_000_000))).status).toBe(200);
  });

  test('is rejected with REQUEST_TOO_LARGE if its event exceeds 6 MB', async () => {
    // Each quote becomes two bytes in the event.
    expectTooLarge(await post('"'.repeat(3_200_000), { 'X-Echo': 'here' }));
  });

  test('is rejected with REQUEST_TOO_LARGE above 10 MB, with or without a Content-Length', async () => {
    const body = Buffer.alloc(12_000_000, 'x');
    const withLength = await post(body, { 'X-Echo': 'here' });
    expectTooLarge(withLength);
    expect(withLength.headers).toMatchObject({ echo: 'here', connection: 'close' });
    expectTooLarge(await post(body, { 'transfer-encoding': 'chunked' }));
  });

  test('is discarded above 10 MB until a client that reads last has sent it', async () => {
    expect(await sendAllThenRead(emulator.url, 12_000_000)).toMatch(/^HTTP\/1.1 413 .*REQUEST_TOO_LARGE"}$/s);
  });
});

const postTo = (path: string, headers = '') =>
  `POST /${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n${headers}\r\n`;
const pathsIn = (stream: string) => [...stream.matchAll(/"path":"(\/p\d)"/g)].map(([, path]) => path);

describe('a connection', () => {
  test('gets the responses to pipelined requests in order', async () => {
    const requests = postTo('p1') + postTo('p2') + postTo('p3', 'Connection: close\r\n');
    expect(pathsIn(await sendBytes(emulator.url, requests))).toEqual(['/p1', '/p2', '/p3']);
  });

  test('gets every response after the client closed its side', async () => {
    expect(pathsIn(await sendAndHalfClose(emulator.url, postTo('p1') + postTo('p2')))).toEqual([
      '/p1',
      '/p2',
    ]);
  });

  test('gets 100 Continue before the response it belongs to, never within another', async () => {
    const slow = 'POST /p1 HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nsleep';
    const expecting = (path: string, headers = '') =>
      `POST /${path} HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n${headers}\r\n{}`;
    // The responses to p2 and p3 wait for that to p1.
    const requests = slow + expecting('p2') + expecting('p3', 'Connection: close\r\n');
    const messages = messagesIn(await sendBytes(emulator.url, requests));
    expect(messages.map(({ status, body }) => [status, ...pathsIn(body)])).toEqual([
      [200, '/p1'],
      [100],
      [200, '/p2'],
      [100],
      [200, '/p3'],
    ]);
  });

  test('leaves the emulator running when it is reset within a request', async () => {
    const half = 'POST /plants HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf';
    await Promise.all(Array.from({ length: 20 }, () => breakOff(emulator.url, half)));
    expect((await post('{}')).status).toBe(200);
  });
});

test('rejects requests beyond the burst of a throttled method with 429, and only of that method', async () => {
  const statuses = [];
  for (let i = 0; i < 4; i++) statuses.push((await send(emulator.url, '/scarce')).status);
  expect(statuses).toEqual([200, 200, 429, 429]);
  expect((await post('')).status).toBe(200);
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
