import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { PutPlant } from '../../../lambda/create-plant/create-plant.ts';
import { plantsTable } from '../../../lambda/create-plant/plants-table.ts';
import { dynamodbClient } from '../../../lambda/shared/dynamodb.ts';
import { operationErrors } from '../../../lambda/shared/errors.ts';
import { type DynamodbInMemory, startDynamodbInMemory } from '../../support/dynamodb-in-memory.ts';

let store: DynamodbInMemory;
let put: PutPlant;
let client: ReturnType<typeof dynamodbClient>;
beforeAll(async () => {
  store = await startDynamodbInMemory();
  client = dynamodbClient();
  put = plantsTable(client, 'Plants');
});
afterAll(async () => {
  client.destroy();
  await store.stop();
});

const item = async (id: bigint) => {
  const get = new GetItemCommand({ TableName: 'Plants', Key: { id: { N: `${id}` } }, ConsistentRead: true });
  return (await store.client.send(get)).Item;
};

describe('plantsTable, given a new plant,', () => {
  test.each([
    [{ id: 9_223_372_036_854_775_807n, name: 'Ficus' }, { name: { S: 'Ficus' } }],
    [
      { id: -1n, name: '', tag: '' },
      { name: { S: '' }, tag: { S: '' } },
    ],
  ])('stores id, name and tag, and nothing else, of %p', async (plant, attributes) => {
    await expect(put(plant)).resolves.toBe('created');
    await expect(item(plant.id)).resolves.toEqual({ id: { N: `${plant.id}` }, ...attributes });
  });
});

describe('plantsTable, given an id that is taken,', () => {
  test.each([
    ['duplicate', 'the same plant', { name: 'Ficus', tag: 'indoor' }],
    ['conflict', 'a plant with another name', { name: 'Oak', tag: 'indoor' }],
    ['conflict', 'a plant with another tag', { name: 'Ficus', tag: 'outdoor' }],
    ['conflict', 'a plant without a tag', { name: 'Ficus' }],
  ])('returns %s for %s, and keeps the first', async (outcome, _what, plant) => {
    await put({ id: 10n, name: 'Ficus', tag: 'indoor' });
    await expect(put({ id: 10n, ...plant })).resolves.toBe(outcome);
    await expect(item(10n)).resolves.toMatchObject({ name: { S: 'Ficus' }, tag: { S: 'indoor' } });
  });

  test('returns duplicate for the same plant without a tag, and conflict for one with a tag', async () => {
    await put({ id: 11n, name: 'Ficus' });
    await expect(put({ id: 11n, name: 'Ficus' })).resolves.toBe('duplicate');
    await expect(put({ id: 11n, name: 'Ficus', tag: '' })).resolves.toBe('conflict');
  });
});

describe('plantsTable, given a large plant,', () => {
  // 400 KB less the names of the attributes.
  const room = 400 * 1024 - 'idname'.length;

  test.each([
    ['all that DynamoDB counts', { name: 'x'.repeat(room) }],
    ['its name', { name: 'x'.repeat(room + 1) }],
    ['its tag', { name: '', tag: 'x'.repeat(room) }],
    ['its bytes', { name: 'é'.repeat(room / 2 + 1) }],
  ])('returns tooLarge if %s is above 400 KB', async (_what, plant) => {
    expect(await put({ id: 20n, ...plant })).toBe('tooLarge');
    expect((await item(20n)) === undefined).toBe(true);
  });

  test('creates a plant of exactly 400 KB', async () => {
    expect(await put({ id: 21n, name: 'x'.repeat(room - 2) })).toBe('created');
  });

  test('returns tooLarge without a request to DynamoDB if the plant is obviously too large', async () => {
    process.env.AWS_ENDPOINT_URL_DYNAMODB = 'http://127.0.0.1:1';
    const nowhere = plantsTable(dynamodbClient(), 'Plants');
    expect(await nowhere({ id: 22n, name: 'x'.repeat(room + 1) })).toBe('tooLarge');
    expect(await nowhere({ id: 22n, name: '', tag: 'x'.repeat(room - 2) })).toBe('tooLarge');
    await expect(nowhere({ id: 22n, name: 'x'.repeat(room) })).rejects.toThrow();
  });
});

test('plantsTable throws 1500 for any other error of DynamoDB', async () => {
  await expect(plantsTable(client, 'NoSuchTable')({ id: 30n, name: 'Ficus' })).rejects.toMatchObject({
    spec: operationErrors.dynamodbFailed,
    cause: { name: 'ResourceNotFoundException' },
  });
  await expect(plantsTable(client, '?')({ id: 30n, name: 'Ficus' })).rejects.toMatchObject({
    spec: operationErrors.dynamodbFailed,
    cause: { name: 'ValidationException' },
  });
});

test.each([null, 'a text', Object.assign(new Error('item size'), { name: 'Another' })])(
  'plantsTable throws 1500 for any other rejection: %p',
  async (cause) => {
    const failing = dynamodbClient();
    failing.middlewareStack.add(() => () => Promise.reject(cause), { step: 'initialize' });
    await expect(plantsTable(failing, 'Plants')({ id: 31n, name: 'Ficus' })).rejects.toMatchObject({
      spec: operationErrors.dynamodbFailed,
    });
  },
);
