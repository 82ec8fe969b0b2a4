import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ScriptedServer, startScriptedServer } from '../support/servers/scripted-server.ts';
import { exampleOperation } from '../support/service/contract.ts';
import {
  authorizeEvent,
  exampleEvent,
  type RunningFunction,
  startFunction,
} from './running-function.ts';

const neverEndingBody = async function* () {
  for (yield Buffer.from('{"Attri'); ; yield Buffer.from(' ')) await sleep(20);
};

const stops: (() => Promise<void>)[] = [];
let dynamodb: ScriptedServer;
let operation: RunningFunction;
let authorize: RunningFunction;

beforeAll(async () => {
  dynamodb = await startScriptedServer({ status: 200, body: neverEndingBody });
  stops.push(dynamodb.stop);
  // Divides every timeout by 10, to save time. The test of warm-up.ts checks the real timeout.
  const environment = { AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url, TIMER_FACTOR: '0.1' };
  operation = await startFunction(exampleOperation.functionName, environment);
  stops.unshift(operation.stop);
  authorize = await startFunction('authorize', environment);
  stops.unshift(authorize.stop);
});

afterAll(async () => {
  for (const stop of stops) await stop();
});

// The test of client.ts covers the failures that the SDK retries.
test('an operation returns 1500, and the authorizer throws other than Unauthorized, if DynamoDB never finishes its response', async () => {
  const [failed, authorized] = await Promise.all([
    operation.invoke(exampleEvent()),
    authorize.invoke(authorizeEvent),
  ]);
  expect(failed.result).toMatchObject({ statusCode: 400, headers: { 'Retry-After': '1' } });
  expect(JSON.parse(Object(failed.result).body)).toMatchObject({ error: 1500 });
  expect(authorized).toEqual({ error: expect.any(String) });
  expect(authorized.error).not.toBe('Unauthorized');
});
