import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { PutPlant } from '../../../lambda/create-plant/create-plant.ts';
import { plantsTable } from '../../../lambda/create-plant/plants-table.ts';
import { dynamodb } from '../../../lambda/shared/dynamodb.ts';
import { operationErrors } from '../../../lambda/shared/errors.ts';
import { type StoreInMemory, startStoreInMemory } from '../../support/store-in-memory.ts';

let store: StoreInMemory;
let put: PutPlant;
let client: ReturnType<typeof dynamodb>;
beforeAll(async () => {
  store = await startStoreInMemory();
  client = dynamodb();
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

describe('a plant is put', () => {
  test.each([
    [{ id: 9_223_372_036_854_775_807n, name: 'Ficus' }, { name: { S: 'Ficus' } }],
    [
      { id: -1n, name: '', tag: '' },
      { name: { S: '' }, tag: { S: '' } },
    ],
  ])('as id, name and tag, and nothing else: %p', async (plant, attributes) => {
    await expect(put(plant)).resolves.toBe('created');
    await expect(item(plant.id)).resolves.toEqual({ id: { N: `${plant.id}` }, ...attributes });
  });
});

describe('an id that is there', () => {
  test.each([
    ['the same plant', { name: 'Ficus', tag: 'indoor' }, 'duplicate'],
    ['another name', { name: 'Oak', tag: 'indoor' }, 'conflict'],
    ['another tag', { name: 'Ficus', tag: 'outdoor' }, 'conflict'],
    ['no tag', { name: 'Ficus' }, 'conflict'],
  ])('with %s', async (_what, plant, outcome) => {
    await put({ id: 10n, name: 'Ficus', tag: 'indoor' });
    await expect(put({ id: 10n, ...plant })).resolves.toBe(outcome);
    await expect(item(10n)).resolves.toMatchObject({ name: { S: 'Ficus' }, tag: { S: 'indoor' } });
  });

  test('without a tag: the same again, and one with a tag', async () => {
    await put({ id: 11n, name: 'Ficus' });
    await expect(put({ id: 11n, name: 'Ficus' })).resolves.toBe('duplicate');
    await expect(put({ id: 11n, name: 'Ficus', tag: '' })).resolves.toBe('conflict');
  });
});

describe('a plant is too large', () => {
  // 400 KB less the names of the attributes.
  const room = 400 * 1024 - 'idname'.length;

  test.each([
    ['when the store counts it so', { name: 'x'.repeat(room) }],
    ['by its name', { name: 'x'.repeat(room + 1) }],
    ['by its tag', { name: '', tag: 'x'.repeat(room) }],
    ['by its bytes', { name: 'é'.repeat(room / 2 + 1) }],
  ])('%s', async (_what, plant) => {
    expect(await put({ id: 20n, ...plant })).toBe('tooLarge');
    expect((await item(20n)) === undefined).toBe(true);
  });

  test('and not when it just fits', async () => {
    expect(await put({ id: 21n, name: 'x'.repeat(room - 2) })).toBe('created');
  });

  test('is not asked of the store, where that is plain', async () => {
    process.env.AWS_ENDPOINT_URL_DYNAMODB = 'http://127.0.0.1:1';
    const nowhere = plantsTable(dynamodb(), 'Plants');
    expect(await nowhere({ id: 22n, name: 'x'.repeat(room + 1) })).toBe('tooLarge');
    expect(await nowhere({ id: 22n, name: '', tag: 'x'.repeat(room - 2) })).toBe('tooLarge');
    await expect(nowhere({ id: 22n, name: 'x'.repeat(room) })).rejects.toThrow();
  });
});

test('any other failure of the store is one that may be tried again', async () => {
  await expect(plantsTable(client, 'NoSuchTable')({ id: 30n, name: 'Ficus' })).rejects.toMatchObject({
    number: operationErrors.dynamodbFailed,
    cause: { name: 'ResourceNotFoundException' },
  });
  await expect(plantsTable(client, '?')({ id: 30n, name: 'Ficus' })).rejects.toMatchObject({
    number: operationErrors.dynamodbFailed,
    cause: { name: 'ValidationException' },
  });
});

test.each([null, 'a text', Object.assign(new Error('item size'), { name: 'Another' })])(
  'and so is whatever else a command ends in: %p',
  async (cause) => {
    const failing = dynamodb();
    failing.middlewareStack.add(() => () => Promise.reject(cause), { step: 'initialize' });
    await expect(plantsTable(failing, 'Plants')({ id: 31n, name: 'Ficus' })).rejects.toMatchObject({
      number: operationErrors.dynamodbFailed,
    });
  },
);
