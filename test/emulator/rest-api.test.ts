import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestEmulator, type TestEmulator } from './fixtures/emulator.ts';
import { send, sendAndHalfClose, sendBytes, sendInTurns } from './fixtures/http.ts';
import { arnOf, gatewayResponse, method, ref, resource, restApi } from './fixtures/resources.ts';

let stage: TestEmulator;

/** Answers with the event itself, or with what the event's body asks for. */
const echo = `exports.handler = async (event) => {
  if (event.body?.startsWith('{"answer":')) return JSON.parse(event.body).answer;
  if (event.body === 'throw') throw new Error('a secret');
  if (event.body === 'sleep') await new Promise((resolve) => setTimeout(resolve, 1000));
  return { statusCode: 200, body: JSON.stringify({ ...event, body: event.body && event.body.slice(0, 100) }) };
};`;

beforeAll(async () => {
  stage = await startTestEmulator({
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

afterAll(() => stage.stop());

const post = (body: string | Buffer, headers = {}) =>
  send(stage.url, '/plants', { method: 'POST', body, headers });
const answerWith = (answer: unknown) => post(JSON.stringify({ answer }));

describe('the event of a function', () => {
  test('is the proxy event of API Gateway', async () => {
    const path = '/plants?a=1&b=x%20y&a=2';
    const headers = { 'X-Twice': ['one', 'two'], 'user-agent': 'a test', 'content-type': 'text/x' };
    const answer = await send(stage.url, path, { method: 'POST', headers, body: 'Grüße' });
    const event = JSON.parse(answer.text);
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
    expect(answer.headers['x-amzn-requestid']).toBe(event.requestContext.requestId);
  });

  test('has null for an empty body and for no query', async () => {
    const event = JSON.parse((await post('')).text);
    expect(event).toMatchObject({
      body: null,
      queryStringParameters: null,
      multiValueQueryStringParameters: null,
    });
  });

  test('survives a header and a parameter named __proto__', async () => {
    const answer = await send(stage.url, '/other?__proto__=1', { headers: { __proto__: 'x', 'x-b': '1' } });
    expect(JSON.parse(answer.text)).toMatchObject({ headers: { 'x-b': '1' } });
  });
});

describe('routing', () => {
  test.each([
    ['/plants/', '/plants', null],
    ['/other', '/{proxy+}', { proxy: 'other' }],
    ['/a/b%2Fc/d', '/{proxy+}', { proxy: 'a/b/c/d' }],
    ['/bad%zz', '/{proxy+}', { proxy: 'bad%zz' }],
    ['http://elsewhere.test/plants?x=1', '/plants', null],
  ])('%s is %s', async (path, resourcePath, pathParameters) => {
    const answer = await send(stage.url, path, { method: 'POST' });
    expect(JSON.parse(answer.text)).toMatchObject({ resource: resourcePath, pathParameters });
  });

  test.each([
    ['GET', '/plants'],
    ['POST', '/'],
    ['POST', '//'],
    ['OPTIONS', '*'],
    ['DELETE', '/plants/'],
  ])('%s %s is refused as API Gateway does', async (verb, path) => {
    const { status, text } = await send(stage.url, path, { method: verb });
    expect({ status, text }).toEqual({
      status: 403,
      text: '{"error":2400,"message":"Missing Authentication Token"}',
    });
  });

  test('HEAD is answered without a body', async () => {
    const { status, text } = await send(stage.url, '/plants', { method: 'HEAD' });
    expect({ status, text }).toEqual({ status: 403, text: '' });
  });
});

describe('the answer of a function', () => {
  test('is sent as it is', async () => {
    const answer = await answerWith({
      statusCode: 201,
      headers: { 'X-One': 1, 'content-type': 'text/plain' },
      multiValueHeaders: { 'Set-Cookie': ['a=1', 'b=2'] },
      body: Buffer.from('hällo').toString('base64'),
      isBase64Encoded: true,
    });
    expect(answer).toMatchObject({ status: 201, text: 'hällo' });
    expect(answer.headers).toMatchObject({
      'x-one': '1',
      'content-type': 'text/plain',
      'set-cookie': ['a=1', 'b=2'],
      'content-length': '6',
    });
  });

  test('gets a content type, and loses headers that are the gateway’s own', async () => {
    const answer = await answerWith({
      statusCode: 200,
      headers: { 'WWW-Authenticate': 'x', 'transfer-encoding': 'y' },
    });
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json',
      'x-amzn-remapped-www-authenticate': 'x',
    });
    expect(answer.headers).not.toHaveProperty('transfer-encoding');
    expect(answer.headers).not.toHaveProperty('www-authenticate');
  });

  test.each([
    ['no status', { body: '' }],
    ['a status that is none', { statusCode: 'many' }],
    ['a body that is no string', { statusCode: 200, body: {} }],
    ['a header that would split the response', { statusCode: 200, headers: { a: 'b\r\nc: d' } }],
    ['a list', []],
    ['null', null],
  ])('with %s is an integration failure', async (_, result) => {
    const answer = await answerWith(result);
    expect(answer).toMatchObject({ status: 502, text: `{"id":"${answer.headers['x-amzn-requestid']}"}` });
    expect(answer.headers['retry-after']).toBe('7');
  });

  test('that throws is an integration failure which tells nothing', async () => {
    const answer = await post('throw');
    expect(answer.status).toBe(502);
    expect(answer.text).not.toContain('secret');
  });

  test('that comes too late is an integration timeout', async () => {
    const answer = await send(stage.url, '/slow', { method: 'POST', body: 'sleep' });
    expect(answer).toMatchObject({ status: 504, text: '{"message":"Endpoint request timed out"}' });
  });
});

describe('a large body', () => {
  const expectTooLarge = (answer: { status: number; text: string }) =>
    expect(answer).toMatchObject({ status: 413, text: '{"type":"REQUEST_TOO_LARGE"}' });

  test('of 5 MB arrives', async () => {
    expect((await post('x'.repeat(5_000_000))).status).toBe(200);
  });

  test('that is over 6 MB as an event is too large', async () => {
    // Each quote becomes two bytes in the event.
    expectTooLarge(await post('"'.repeat(3_200_000), { 'X-Echo': 'here' }));
  });

  test('over 10 MB is too large, whether or not its length is told', async () => {
    const body = Buffer.alloc(12_000_000, 'x');
    const told = await post(body, { 'X-Echo': 'here' });
    expectTooLarge(told);
    expect(told.headers).toMatchObject({ echo: 'here', connection: 'close' });
    expectTooLarge(await post(body, { 'transfer-encoding': 'chunked' }));
  });

  test('over 10 MB is taken from a client that reads the answer only after it', async () => {
    expect(await sendAllThenRead(stage.url, 12_000_000)).toMatch(/^HTTP\/1.1 413 .*REQUEST_TOO_LARGE"}$/s);
  });

  test('over 10 MB is not asked for by 100 Continue', async () => {
    const head = 'POST /plants HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: ';
    const small = await sendBytes(stage.url, `${head}2\r\nConnection: close\r\n\r\n{}`);
    expect(small).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 /);
    const large = sendBytes(stage.url, `${head}20000000\r\n\r\n`);
    expect(await large).toMatch(/^HTTP\/1.1 413 /);
  }, 10_000);
});

/** With a request id, as every answer. */
const badRequest =
  /^HTTP\/1.1 400 .*x-amzn-RequestId: [\da-f-]{36}\r\n.*{"error":2400,"message":"Bad Request"}$/s;
const postOf = (path: string) => `POST /${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n`;
const split = (answers: string) => answers.split(/(?=HTTP\/1\.1 \d{3} )/);

describe('what is no request', () => {
  test.each([
    ['garbage', 'garbage\r\n\r\n'],
    ['a bad header', 'GET /plants HTTP/1.1\r\nHost: x\r\nBad Header\r\n\r\n'],
    ['two lengths', 'POST /plants HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n'],
    ['endless headers', `GET /plants HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
    ['no Host', 'GET /plants HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n'],
  ])('%s gets a gateway response, as the first thing of a connection and as the next', async (_, bytes) => {
    expect(await sendBytes(stage.url, bytes)).toMatch(badRequest);
    const [answered, next] = split(await sendInTurns(stage.url, [postOf('kept'), bytes]));
    expect(answered).toMatch(/^HTTP\/1.1 200 .*"path":"\/kept"/s);
    expect(next).toMatch(badRequest);
  });

  test.each([
    ['no Host', 'GET /plants HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['two Hosts', 'GET /plants HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: close\r\n\r\n'],
  ])('%s gets a gateway response', async (_, bytes) => {
    expect(await sendBytes(stage.url, bytes)).toMatch(badRequest);
  });

  test('HTTP/1.0 needs no Host', async () => {
    expect(await sendBytes(stage.url, 'POST /plants HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1.1 200 /);
  });

  test.each([
    ['malformed', 'zz\r\n'],
    ['cut off', '5\r\nab'],
  ])('a body that is %s after 100 Continue gets a gateway response', async (_, body) => {
    const head =
      'POST /plants HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n';
    const [continued, answer] = split(await sendInTurns(stage.url, [head, body], { halfClose: true }));
    expect(continued).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    expect(answer).toMatch(badRequest);
  });

  test('garbage behind requests is answered after them', async () => {
    const answers = split(await sendBytes(stage.url, `${postOf('p1')}${postOf('p2')}garbage\r\n\r\n`));
    expect(answers.map((answer) => /"path":"(.*?)"/.exec(answer)?.[1])).toEqual(['/p1', '/p2', undefined]);
    expect(answers.at(-1)).toMatch(badRequest);
  });

  test('a malformed body behind a request is answered after it', async () => {
    const chunked = 'POST /p2 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n';
    const [first, second] = split(await sendBytes(stage.url, `${postOf('p1')}${chunked}`));
    expect(first).toMatch(/"path":"\/p1"/);
    expect(second).toMatch(badRequest);
  });

  test('a client that closes its side after its requests gets every answer', async () => {
    const answers = split(await sendAndHalfClose(stage.url, `${postOf('p1')}${postOf('p2')}`));
    expect(answers.map((answer) => /"path":"(.*?)"/.exec(answer)?.[1])).toEqual(['/p1', '/p2']);
  });

  test('clients that go away in the middle leave the stage as it was', async () => {
    const half = 'POST /plants HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf';
    const sockets = Array.from({ length: 20 }, () => breakOff(stage.url, half));
    await Promise.all(sockets);
    expect((await post('{}')).status).toBe(200);
  });

  test('pipelined requests are answered in order', async () => {
    const one = (n: number) => `POST /p${n} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n`;
    const answer = await sendBytes(stage.url, `${one(1)}\r\n${one(2)}\r\n${one(3)}Connection: close\r\n\r\n`);
    expect([...answer.matchAll(/"path":"(\/p\d)"/g)].map(([, path]) => path)).toEqual(['/p1', '/p2', '/p3']);
  });
});

test('a throttled method refuses what exceeds its burst, and no other method does', async () => {
  const statuses = [];
  for (let i = 0; i < 4; i++) statuses.push((await send(stage.url, '/scarce')).status);
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
