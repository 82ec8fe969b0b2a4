import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { tokensTable } from '../../../lambda/authorize/tokens-table.ts';
import { dynamodb } from '../../../lambda/shared/dynamodb.ts';
import { type StoreInMemory, startStoreInMemory } from '../../support/store-in-memory.ts';

const record = { id: 'id', name: 'ci', hash: '0'.repeat(64), issuedAt: 1 };

let store: StoreInMemory;
let client: ReturnType<typeof dynamodb>;
beforeAll(async () => {
  store = await startStoreInMemory();
  client = dynamodb();
});
afterAll(async () => {
  client.destroy();
  await store.stop();
});

test('a token is found by its id, and no other', async () => {
  await client.send(new PutCommand({ TableName: 'Tokens', Item: record }));
  await expect(tokensTable(client, 'Tokens')('id')).resolves.toEqual(record);
  await expect(tokensTable(client, 'Tokens')('id2')).resolves.toBeUndefined();
});

test('an item that is no token record is an error, neither a yes nor a no', async () => {
  await client.send(new PutCommand({ TableName: 'Tokens', Item: { id: 'bad', hash: record.hash } }));
  await expect(tokensTable(client, 'Tokens')('bad')).rejects.toThrow('item bad of the tokens table');
});

test('the read is a consistent one', async () => {
  const commands: unknown[] = [];
  const listening = dynamodb();
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
