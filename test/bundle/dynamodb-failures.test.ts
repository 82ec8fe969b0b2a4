import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type DynamodbStub, json, type Reply, startDynamodbStub } from './dynamodb-stub.ts';
import { authorizeEvent, createPlantEvent } from './events.ts';
import { type RunningFunction, startFunction } from './running-function.ts';

const awsError = (status: number, name: string) =>
  json(status, { __type: `com.amazonaws.dynamodb.v20120810#${name}` });

const silence: Reply = () => {};
const neverEndingBody: Reply = (response) => {
  response.writeHead(200, { 'Content-Length': 1_000 }).write('{"Attri');
  const drip = setInterval(() => response.write(' '), 20);
  response.on('close', () => clearInterval(drip));
};

const stops: (() => Promise<void>)[] = [];
let dynamodb: DynamodbStub;
let createPlant: RunningFunction;
let authorize: RunningFunction;

beforeAll(async () => {
  dynamodb = await startDynamodbStub();
  stops.push(dynamodb.stop);
  // Divides every timeout by 10, to save time. test/in-process/create-plant/warm-up.test.ts checks the real timeout.
  const environment = { AWS_ENDPOINT_URL_DYNAMODB: dynamodb.endpoint, TIMER_FACTOR: '0.1' };
  createPlant = await startFunction('create-plant', environment);
  stops.unshift(createPlant.stop);
  authorize = await startFunction('authorize', environment);
  stops.unshift(authorize.stop);
});

afterAll(async () => {
  for (const stop of stops) await stop();
});

// test/in-process/create-plant/retries.test.ts covers the failures that the SDK retries.
describe.each<[string, Reply]>([
  ['never responds', silence],
  ['never finishes its response', neverEndingBody],
  ['returns something other than JSON', (response) => response.end('<html>')],
  ['rejects the credentials', awsError(400, 'UnrecognizedClientException')],
])('if DynamoDB %s', (_name, reply) => {
  test('createPlant returns 1500 with Retry-After, and the authorizer throws an error other than Unauthorized', async () => {
    dynamodb.script = [reply];
    const [created, authorized] = await Promise.all([
      createPlant.invoke(createPlantEvent('{"id":1,"name":"Ficus"}')),
      authorize.invoke(authorizeEvent),
    ]);
    expect(created.result).toMatchObject({ statusCode: 400, headers: { 'Retry-After': '1' } });
    expect(JSON.parse(Object(created.result).body)).toMatchObject({ error: 1500 });
    expect(authorized).toEqual({ error: expect.stringMatching(/^(?!Unauthorized$)./) });
  });
});
