import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { announceEmulator, findEmulator } from '../index.ts';
import { startTestEmulator, type TestEmulator } from './fixtures/emulator.ts';
import { send, sendBytes } from './fixtures/http.ts';
import { arnOf, method, ref, resource, restApi } from './fixtures/resources.ts';

let emulator: TestEmulator;
beforeAll(async () => {
  const fixture = {
    functions: {
      Echo: `exports.handler = async (event) => ({ statusCode: 200, body: JSON.stringify(event) });`,
      Greet: `exports.handler = async () => ({
        statusCode: 503,
        multiValueHeaders: { 'Set-Cookie': ['a=1', 'b=2'], 'Content-Length': ['6'], 'content-type': ['text/x'] },
        body: Buffer.from('hällo').toString('base64'),
        isBase64Encoded: true,
      });`,
    },
    resources: {
      ...restApi(),
      ...method('plants', 'POST', ref('Alias')),
      ...method('greeting', 'GET', arnOf('Greet')),
      Alias: resource('AWS::Lambda::Alias', { FunctionName: ref('Echo'), Name: 'live' }),
    },
  };
  // The address 127.0.0.1 as IPv6.
  emulator = await startTestEmulator(fixture, { host: '::ffff:127.0.0.1' });
});
afterAll(() => emulator.stop());

// recorded/rows.ts tests the other fields of the event, and more results.
test('sends the fields of API Gateway’s proxy event to a function', async () => {
  const before = Date.now();
  const headers = { 'X-Twice': ['one', 'two'], 'user-agent': 'a test', 'content-type': 'text/x' };
  const request = { method: 'POST', headers, body: 'Grüße' };
  const response = await send(emulator.url, '/plants?a=b?', request);
  const event = JSON.parse(response.text);
  expect(event).toMatchObject({
    resource: '/plants',
    path: '/plants',
    httpMethod: 'POST',
    headers: {
      'X-Twice': 'two',
      'user-agent': 'a test',
      'X-Forwarded-For': '127.0.0.1',
      'X-Forwarded-Proto': 'http',
    },
    multiValueHeaders: { 'X-Twice': ['one', 'two'], 'content-type': ['text/x'] },
    queryStringParameters: { a: 'b?' },
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
      requestTime: expect.stringMatching(/^\d\d\/\w{3}\/\d{4}:[\d:]{8} \+0000$/),
      protocol: 'HTTP/1.1',
      domainName: event.headers.Host,
      identity: { sourceIp: '127.0.0.1', userAgent: 'a test' },
    },
  });
  expect(event.requestContext).not.toHaveProperty('authorizer');
  expect(event.requestContext.requestTimeEpoch).toBeGreaterThanOrEqual(before);
  expect(response.headers['x-amzn-requestid']).toBe(event.requestContext.requestId);
});

test('sends the status, cookies and decoded body that a function returns', async () => {
  const headers = { Connection: 'keep-alive' };
  expect(await send(emulator.url, '/greeting', { headers })).toMatchObject({
    status: 503,
    headers: {
      'set-cookie': ['a=1', 'b=2'],
      'content-length': '6',
      'content-type': 'text/x',
      'keep-alive': 'timeout=75',
    },
    text: 'hällo',
  });
});

test('reads all of a body above 10 MB, for a client that sends everything before it reads the response', async () => {
  const request = 'POST /plants HTTP/1.1\r\nHost: x\r\nContent-Length: 12000000\r\n\r\n';
  expect(await sendBytes(emulator.url, request + 'x'.repeat(12_000_000))).toMatch(
    /^HTTP\/1.1 413 .*exceeded 10485760 bytes/s,
  );
});

test('other commands find an emulator only while it responds to its id', async () => {
  const { url } = emulator;
  // announceEmulator creates this folder.
  const dataDir = join(emulator.dataDir, 'new');
  expect(emulator.dynamodbEndpoint).toContain('//[');
  const file = join(dataDir, 'emulator.json');
  const withdraw = await announceEmulator(dataDir, emulator);
  await expect(findEmulator(dataDir)).resolves.toMatchObject({ url });
  await expect(announceEmulator(dataDir, emulator)).rejects.toThrow(
    /^The emulator at http:\S+ uses the data folder \S+: set DATA_DIR to another folder$/,
  );
  const announced = JSON.parse(readFileSync(file, 'utf8'));
  // Another program may respond at the same address.
  for (const gone of [{ id: 'another' }, { id: 'greeting' }, { url: 'http://127.0.0.1:1' }]) {
    writeFileSync(file, JSON.stringify({ ...announced, ...gone }));
    await expect(findEmulator(dataDir)).resolves.toBeUndefined();
  }
  await withdraw();
  expect(existsSync(file)).toBe(false);
});
