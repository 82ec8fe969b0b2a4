import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { PutPlant } from '../../../lambda/create-plant/create-plant.ts';
import { putPlantIn } from '../../../lambda/create-plant/plants-table.ts';
import { dynamodbClient } from '../../../lambda/shared/dynamodb/client.ts';
import { operationErrors } from '../../../lambda/shared/errors.ts';
import { startDynamodbInMemory } from '../../support/servers/dynamodb-in-memory.ts';

let put: PutPlant;
let client: ReturnType<typeof dynamodbClient>;
beforeAll(async () => {
  await startDynamodbInMemory('Plants', 'N');
  client = dynamodbClient();
  put = putPlantIn(client, 'Plants');
});
afterAll(() => client.destroy());

/** A new id for each test, counting down from the largest int64. */
let id = 2n ** 63n;
beforeEach(() => {
  id -= 1n;
});

const item = async () => {
  const get = new GetItemCommand({
    TableName: 'Plants',
    Key: { id: { N: `${id}` } },
    ConsistentRead: true,
  });
  return (await client.send(get)).Item;
};

test('putPlantIn stores the id and the fields of a new plant', async () => {
  await expect(put({ id, name: '', tag: '' })).resolves.toBe('created');
  await expect(item()).resolves.toEqual({ id: { N: `${id}` }, name: { S: '' }, tag: { S: '' } });
});

test('putPlantIn rejects a plant with a number above 2^53 with 1500, as CONTRIBUTING.md says', async () => {
  const plant = { id, name: 'Oak', height: 2 ** 53 };
  await expect(put(plant)).rejects.toMatchObject({ spec: operationErrors.dynamodbFailed });
});

describe('putPlantIn, given an id that is taken,', () => {
  const stored = { name: 'Ficus', tag: 'indoor' };
  test.each([
    ['duplicate', 'the same plant', stored, stored],
    ['conflict', 'a plant with a different name', stored, { name: 'Oak', tag: 'indoor' }],
    ['conflict', 'a plant with a different tag', stored, { name: 'Ficus', tag: 'outdoor' }],
    ['conflict', 'the stored plant without its tag', stored, { name: 'Ficus' }],
    ['duplicate', 'the same plant, which has no tag', { name: 'Ficus' }, { name: 'Ficus' }],
    [
      'conflict',
      'the stored plant with an added tag',
      { name: 'Ficus' },
      { name: 'Ficus', tag: '' },
    ],
  ])(
    'does not change the stored plant and returns %s for %s',
    async (outcome, _what, first, second) => {
      await put({ id, ...first });
      const before = await item();
      await expect(put({ id, ...second })).resolves.toBe(outcome);
      await expect(item()).resolves.toEqual(before);
    },
  );
});

test('putPlantIn creates only one of several plants that are put at once with the same id', async () => {
  const names = ['Ficus', 'Oak', 'Fern'];
  const outcomes = await Promise.all(names.map((name) => put({ id, name })));
  const winner = names[outcomes.indexOf('created')];
  expect(outcomes.sort()).toEqual(['conflict', 'conflict', 'created']);
  await expect(item()).resolves.toMatchObject({ name: { S: winner } });
});

describe('putPlantIn, given a large plant,', () => {
  // 400 KB minus the length of the attribute names.
  const room = 400 * 1024 - 'idname'.length;

  test('returns tooLarge if the item, including its id, is above 400 KB', async () => {
    expect(await put({ id, name: 'x'.repeat(room) })).toBe('tooLarge');
    await expect(item()).resolves.toBeUndefined();
  });

  test('creates a plant of exactly 400 KB', async () => {
    // DynamoDB stores the id 7 in two bytes.
    expect(await put({ id: 7n, name: 'x'.repeat(room - 2) })).toBe('created');
  });

  test('returns tooLarge without a request to DynamoDB if a plant without its id is above 400 KB', async () => {
    const env = { ...process.env, AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1' };
    const replaced = jest.replaceProperty(process, 'env', env);
    const nowhere = putPlantIn(dynamodbClient(), 'Plants');
    replaced.restore();
    expect(await nowhere({ id, name: '', tag: 'x'.repeat(room - 2) })).toBe('tooLarge');
    await expect(nowhere({ id, name: 'x'.repeat(room) })).rejects.toMatchObject({
      spec: operationErrors.dynamodbFailed,
    });
  });
});

test('putPlantIn throws 1500 with the cause if DynamoDB rejects the command', async () => {
  await expect(putPlantIn(client, 'NoSuchTable')({ id, name: 'Ficus' })).rejects.toMatchObject({
    spec: operationErrors.dynamodbFailed,
    cause: { name: 'ResourceNotFoundException' },
  });
});
