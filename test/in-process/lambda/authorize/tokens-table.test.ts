import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findTokenIn } from '../../../../lambda/authorize/tokens-table.ts';
import { dynamodbClient } from '../../../../lambda/shared/dynamodb/client.ts';
import { startDynamodbInMemory } from '../../../support/servers/dynamodb-in-memory.ts';

const record = { id: 'good', client: 'ci', hash: 'a'.repeat(64), issuedAt: 1 };

let client: ReturnType<typeof dynamodbClient>;
beforeAll(async () => {
  await startDynamodbInMemory('Tokens', 'S');
  client = dynamodbClient();
  for (const Item of [record, { id: 'bad' }]) {
    await client.send(new PutCommand({ TableName: 'Tokens', Item }));
  }
});
afterAll(() => client.destroy());

test('findTokenIn returns the record of a token, with one consistent read', async () => {
  const commands: unknown[] = [];
  client.middlewareStack.add(
    (next) => (args) => {
      commands.push(args.input);
      return next(args);
    },
    { step: 'initialize' },
  );
  await expect(findTokenIn(client, 'Tokens')('good')).resolves.toEqual(record);
  expect(commands).toEqual([{ TableName: 'Tokens', Key: { id: 'good' }, ConsistentRead: true }]);
});

test('findTokenIn throws an error if an item is not a token record', async () => {
  await expect(findTokenIn(client, 'Tokens')('bad')).rejects.toThrow(
    'the item bad in the tokens table',
  );
});
