import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { type DynamodbInMemory, startDynamodbInMemory } from '../../support/dynamodb-in-memory.ts';
import { lambdaContext } from '../../support/lambda-context.ts';
import { createPlantEvent } from '../plants.ts';

let store: DynamodbInMemory;
let createPlant: typeof import('../../../lambda/create-plant/index.ts');
const lines: string[] = [];
beforeAll(async () => {
  jest.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
  store = await startDynamodbInMemory('Plants', 'N');
  // The function reads environment variables when it is loaded.
  process.env.PLANTS_TABLE = 'Plants';
  createPlant = await import('../../../lambda/create-plant/index.ts');
});
afterAll(async () => {
  jest.restoreAllMocks();
  await store.stop();
});

test('the create-plant function creates the plant that is in the event, and logs it', async () => {
  const response = createPlant.handler({ ...createPlantEvent }, lambdaContext());
  await expect(response).resolves.toMatchObject({ statusCode: 200 });
  const logged = { service: 'create-plant', stage: 'dev', outcome: 'created', PlantsCreated: 1 };
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([logged]);
});

test('the create-plant function warms up with one health check to DynamoDB, and nothing else', async () => {
  const requests: unknown[] = [];
  const note = (message: unknown) => requests.push(message);
  subscribe('http.client.request.start', note);
  await expect(createPlant.warmUp()).resolves.toBeUndefined();
  unsubscribe('http.client.request.start', note);
  expect(requests).toMatchObject([{ request: { method: 'GET', path: '/' } }]);
});
