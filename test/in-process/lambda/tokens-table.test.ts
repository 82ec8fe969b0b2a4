import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { tokensTable } from '../../../lambda/authorize/tokens-table.ts';
import { dynamodbClient } from '../../../lambda/shared/dynamodb.ts';
import { type DynamodbInMemory, startDynamodbInMemory } from '../../support/dynamodb-in-memory.ts';

const record = { id: 'id', name: 'ci', hash: '0'.repeat(64), issuedAt: 1 };

let store: DynamodbInMemory;
let client: ReturnType<typeof dynamodbClient>;
beforeAll(async () => {
  store = await startDynamodbInMemory();
  client = dynamodbClient();
});
afterAll(async () => {
  client.destroy();
  await store.stop();
});

test('tokensTable finds a token by its id, and returns undefined for another', async () => {
  await client.send(new PutCommand({ TableName: 'Tokens', Item: record }));
  await expect(tokensTable(client, 'Tokens')('id')).resolves.toEqual(record);
  await expect(tokensTable(client, 'Tokens')('id2')).resolves.toBeUndefined();
});

test('tokensTable throws if an item is not a token record', async () => {
  await client.send(new PutCommand({ TableName: 'Tokens', Item: { id: 'bad', hash: record.hash } }));
  await expect(tokensTable(client, 'Tokens')('bad')).rejects.toThrow('item bad of the tokens table');
});

test('tokensTable sends a consistent read', async () => {
  const commands: unknown[] = [];
  const listening = dynamodbClient();
  listening.middlewareStack.add(
    (next) => (args) => {
      commands.push(args.input);
      return next(args);
    },
    { step: 'initialize' },
  );
  await tokensTable(listening, 'Tokens')('id');
  expect(commands).toEqual([{ TableName: 'Tokens', Key: { id: 'id' }, ConsistentRead: true }]);
  listening.destroy();
});
