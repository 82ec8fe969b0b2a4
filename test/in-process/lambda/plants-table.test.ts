import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
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

/** A new id for each test, counting down from the largest int64. */
let id = 2n ** 63n;
beforeEach(() => {
  id -= 1n;
});

const item = async () => {
  const get = new GetItemCommand({ TableName: 'Plants', Key: { id: { N: `${id}` } }, ConsistentRead: true });
  return (await store.client.send(get)).Item;
};

describe('plantsTable, given a new plant,', () => {
  test.each([
    [{ name: 'Ficus' }, { name: { S: 'Ficus' } }],
    [
      { name: '', tag: '' },
      { name: { S: '' }, tag: { S: '' } },
    ],
  ])('stores only the id, name and tag of %p', async (plant, attributes) => {
    await expect(put({ id, ...plant })).resolves.toBe('created');
    await expect(item()).resolves.toEqual({ id: { N: `${id}` }, ...attributes });
  });
});

describe('plantsTable, given an id that is taken,', () => {
  const stored = { name: 'Ficus', tag: 'indoor' };
  test.each([
    ['duplicate', 'the same plant', stored, stored],
    ['conflict', 'a plant with another name', stored, { name: 'Oak', tag: 'indoor' }],
    ['conflict', 'a plant with another tag', stored, { name: 'Ficus', tag: 'outdoor' }],
    ['conflict', 'a plant without a tag', stored, { name: 'Ficus' }],
    ['duplicate', 'the same plant without a tag', { name: 'Ficus' }, { name: 'Ficus' }],
    ['conflict', 'a plant with a tag', { name: 'Ficus' }, { name: 'Ficus', tag: '' }],
  ])('returns %s for %s, and keeps the first plant', async (outcome, _what, first, second) => {
    await put({ id, ...first });
    const before = await item();
    await expect(put({ id, ...second })).resolves.toBe(outcome);
    await expect(item()).resolves.toEqual(before);
  });
});

describe('plantsTable, given a large plant,', () => {
  // 400 KB minus the attribute names.
  const room = 400 * 1024 - 'idname'.length;

  test.each([
    ['the total that DynamoDB counts', { name: 'x'.repeat(room) }],
    ['its name', { name: 'x'.repeat(room + 1) }],
    ['its tag', { name: '', tag: 'x'.repeat(room) }],
    ['its size in bytes, not in characters,', { name: 'é'.repeat(room / 2 + 1) }],
  ])('returns tooLarge if %s is above 400 KB', async (_what, plant) => {
    expect(await put({ id, ...plant })).toBe('tooLarge');
    expect((await item()) === undefined).toBe(true);
  });

  test('creates a plant of exactly 400 KB', async () => {
    // DynamoDB stores a small number in two bytes.
    expect(await put({ id: 0n, name: 'x'.repeat(room - 2) })).toMatch(/^(created|duplicate)$/);
  });

  test('returns tooLarge without a request to DynamoDB if the plant is obviously too large', async () => {
    process.env.AWS_ENDPOINT_URL_DYNAMODB = 'http://127.0.0.1:1';
    const nowhere = plantsTable(dynamodbClient(), 'Plants');
    expect(await nowhere({ id, name: 'x'.repeat(room + 1) })).toBe('tooLarge');
    expect(await nowhere({ id, name: '', tag: 'x'.repeat(room - 2) })).toBe('tooLarge');
    await expect(nowhere({ id, name: 'x'.repeat(room) })).rejects.toThrow();
  });
});

test.each([
  ['NoSuchTable', 'ResourceNotFoundException'],
  ['?', 'ValidationException'],
])('plantsTable throws 1500 if the table %s causes a %s', async (table, name) => {
  await expect(plantsTable(client, table)({ id, name: 'Ficus' })).rejects.toMatchObject({
    spec: operationErrors.dynamodbFailed,
    cause: { name },
  });
});

test.each([null, 'a text', Object.assign(new Error('item size'), { name: 'Another' })])(
  'plantsTable throws 1500 for any other rejection: %p',
  async (cause) => {
    const failing = dynamodbClient();
    failing.middlewareStack.add(() => () => Promise.reject(cause), { step: 'initialize' });
    await expect(plantsTable(failing, 'Plants')({ id, name: 'Ficus' })).rejects.toMatchObject({
      spec: operationErrors.dynamodbFailed,
    });
  },
);
