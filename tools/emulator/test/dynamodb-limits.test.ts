import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PROJECT } from '../../../test/support/code-blocks.ts';
import { callDynamoDB } from '../dynamodb/client.ts';
import { createTable } from '../dynamodb/tables.ts';
import type { JsonObject } from '../json.ts';
import { startTestEmulator, type TestEmulator } from './fixtures/emulator.ts';
import { sendCommand } from './fixtures/http.ts';
import { resource, stackOf, table } from './fixtures/resources.ts';

const key = {
  AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'N' }],
  KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
};

let emulator: TestEmulator;
beforeAll(async () => {
  emulator = await startTestEmulator(
    stackOf({
      Plants: table('id', 'N', { byTag: 'tag' }),
      Expiring: resource('AWS::DynamoDB::Table', {
        ...key,
        TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
        StreamSpecification: { StreamViewType: 'NEW_IMAGE' },
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      }),
    }),
  );
});
afterAll(() => emulator.stop());

const call = (operation: string, input: JsonObject) =>
  callDynamoDB(emulator.dynamodbEndpoint, operation, input);
const id = (value: number) => ({ id: { N: String(value) } });
const put = (item: JsonObject) => call('PutItem', { TableName: 'Plants', Item: item });
const get = (value: number) => call('GetItem', { TableName: 'Plants', Key: id(value) });
const byTag = (tag: string) =>
  call('Query', {
    TableName: 'Plants',
    IndexName: 'byTag',
    KeyConditionExpression: 'tag = :tag',
    ExpressionAttributeValues: { ':tag': { S: tag } },
  });

const unknown = { name: 'UnknownOperationException' };
const areUnknown = async (...operations: string[]) => {
  for (const operation of operations) await expect(call(operation, {})).rejects.toMatchObject(unknown);
};

/**
 * The tests, by the name of the limit in emulator/README.md. Each test fails once the embedded DynamoDB behaves like
 * AWS.
 */
const limits: Readonly<Record<string, () => Promise<void>>> = {
  Transactions: () => areUnknown('TransactWriteItems', 'TransactGetItems'),

  PartiQL: () => areUnknown('ExecuteStatement', 'BatchExecuteStatement', 'ExecuteTransaction'),

  async ReturnValuesOnConditionCheckFailure() {
    await put(id(1));
    const again = {
      TableName: 'Plants',
      Item: id(1),
      ConditionExpression: 'attribute_not_exists(id)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    };
    const { text } = await sendCommand(emulator.dynamodbEndpoint, 'PutItem', JSON.stringify(again));
    expect(text).toMatch(/ConditionalCheckFailedException(?!.*Item)/);
  },

  async 'Lists and maps'() {
    for (const value of [{ L: [{ S: 'a' }] }, { M: { a: { S: 'a' } } }]) {
      const Item = { ...id(6), value };
      await put(Item);
      const condition = (operator: string) => ({
        TableName: 'Plants',
        Item,
        ConditionExpression: `#value ${operator} :value`,
        ExpressionAttributeNames: { '#value': 'value' },
        ExpressionAttributeValues: { ':value': value },
      });
      const unequal = { name: 'ConditionalCheckFailedException' };
      await expect(call('PutItem', condition('='))).rejects.toMatchObject(unequal);
      await expect(call('PutItem', condition('<>'))).resolves.toEqual({});
    }
  },

  async 'Sizes in bytes'() {
    const items = [2, 3, 4].map((value) => ({ ...id(value), name: { S: '€'.repeat(300_000) } }));
    for (const item of items) await put(item);
    const { LastEvaluatedKey, Items } = await call('Scan', { TableName: 'Plants' });
    expect(Items).toEqual(expect.arrayContaining(items));
    expect(LastEvaluatedKey).toBeUndefined();
  },

  async 'Index keys'() {
    for (const tag of ['', 'x'.repeat(2049)]) {
      await put({ ...id(5), tag: { S: tag } });
      expect(await get(5)).toMatchObject({ Item: { tag: { S: tag } } });
    }
  },

  async 'Eventual consistency'() {
    for (let value = 100; value < 110; value += 1) {
      await put({ ...id(value), tag: { S: `tag of ${value}` } });
      expect(await get(value)).toMatchObject({ Item: id(value) });
      expect(await byTag(`tag of ${value}`)).toMatchObject({ Count: 1 });
    }
  },

  async Throttling() {
    const ProvisionedThroughput = { ReadCapacityUnits: 1, WriteCapacityUnits: 1 };
    const narrow = { TableName: 'Narrow', ...key, ProvisionedThroughput };
    await createTable(narrow, emulator.dynamodbEndpoint);
    // In AWS, this table could save only 5 minutes of unused capacity for a burst. These writes need 4 times as much.
    for (let value = 0; value < 12; value += 1) {
      const Item = { ...id(value), name: { S: 'x'.repeat(100_000) } };
      expect(await call('PutItem', { TableName: 'Narrow', Item })).toEqual({});
    }
  },

  async 'Time to live'() {
    const status = await call('DescribeTimeToLive', { TableName: 'Expiring' });
    expect(status).toEqual({ TimeToLiveDescription: { TimeToLiveStatus: 'DISABLED' } });
    await areUnknown('UpdateTimeToLive');
  },

  async 'Streams and backups'() {
    const { Table } = await call('DescribeTable', { TableName: 'Expiring' });
    expect(Table).not.toHaveProperty('LatestStreamArn');
    await areUnknown('DescribeContinuousBackups', 'CreateBackup');
  },

  async 'Table ARNs'() {
    const TableName = 'arn:aws:dynamodb:us-east-1:123456789012:table/Plants';
    const result = call('GetItem', { TableName, Key: id(1) });
    await expect(result).rejects.toMatchObject({ name: 'ValidationException' });
  },
};

describe('the embedded DynamoDB has the limit that emulator/README.md describes:', () => {
  test.each(Object.entries(limits))('%s', (_, stillLacks) => stillLacks());
});

test('emulator/README.md lists exactly the limits of the embedded DynamoDB that have a test', () => {
  const page = readFileSync(join(PROJECT, 'tools/emulator/README.md'), 'utf8');
  const [, section = ''] = page.split('## What the embedded DynamoDB lacks\n');
  const [list = ''] = section.split('\n## ');
  const names = [...list.matchAll(/^- \*\*(.+?)\*\*/gm)].map(([, name]) => name);
  expect(names).toEqual(Object.keys(limits));
});
