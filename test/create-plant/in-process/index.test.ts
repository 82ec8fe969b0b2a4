import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { lambdaContext } from '../../support/lambda-context.ts';
import {
  type DynamodbInMemory,
  startDynamodbInMemory,
} from '../../support/servers/dynamodb-in-memory.ts';
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

// test/bundle/warm-up.test.ts tests what the warm-up sends.
test('the create-plant function creates the plant that is in the event, and logs only that', async () => {
  await createPlant.warmUp();
  const response = createPlant.handler({ ...createPlantEvent }, lambdaContext());
  await expect(response).resolves.toMatchObject({ statusCode: 200 });
  const logged = { service: 'create-plant', stage: 'dev', outcome: 'created', PlantsCreated: 1 };
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([logged]);
});
