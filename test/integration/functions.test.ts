import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { tokensTable } from '../../lambda/authorize/tokens-table.ts';
import { dynamodb } from '../../lambda/dynamodb.ts';
import { requiredEnv } from '../../lambda/required-env.ts';
import { issue } from '../../tokens/issue.ts';
import { tokenStore } from '../../tokens/token-store.ts';
import { type StoreInMemory, startStoreInMemory } from './store-in-memory.ts';

const event = JSON.parse(readFileSync(join(import.meta.dirname, '../../events/create-plant.json'), 'utf8'));
const methodArn = 'arn:aws:execute-api:us-east-1:123456789012:api/dev/POST/plants';
const context = { getRemainingTimeInMillis: () => 10_000 };

let store: StoreInMemory;
let token: string;
// biome-ignore lint/suspicious/noExplicitAny: called as Lambda does, with events of no type
let functions: Record<'createPlant' | 'authorize', any>;
beforeAll(async () => {
  store = await startStoreInMemory();
  // They read the environment when they are loaded.
  const [createPlant, authorize] = await Promise.all([
    import('../../lambda/create-plant/index.ts'),
    import('../../lambda/authorize/index.ts'),
  ]);
  functions = { createPlant: createPlant.handler, authorize: authorize.handler };
  const tokens = tokenStore(DynamoDBDocumentClient.from(store.client), 'Tokens');
  const expiresAt = Date.now() / 1000 + 60;
  token = (await issue(tokens, { name: 'somebody', expiresAt })).text;
});
afterAll(() => store.stop());

test('the function of the operation creates the plant of its event', async () => {
  await expect(functions.createPlant(event, context)).resolves.toMatchObject({ statusCode: 200 });
});

describe('the authorizer', () => {
  const ask = (authorizationToken: string) =>
    functions.authorize({ type: 'TOKEN', authorizationToken, methodArn }, context);

  test('allows the stage to a token of the table, and says whose it is', async () => {
    await expect(ask(`Bearer ${token}`)).resolves.toMatchObject({
      policyDocument: { Statement: [{ Effect: 'Allow', Resource: expect.stringMatching(/api\/dev\/\*$/) }] },
      context: { client: 'somebody' },
    });
  });

  test.each(['0'.repeat(64), 'f'.repeat(64)])('refuses the id with the secret %.4s…', async (secret) => {
    await expect(ask(`Bearer ${token.replace(/[0-9a-f]{64}$/, secret)}`)).rejects.toThrow(/^Unauthorized$/);
  });

  test('neither allows nor refuses where the store can not tell', async () => {
    const find = tokensTable(dynamodb(), 'NoSuchTable');
    await expect(find('id')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  });
});

test('a function without its environment does not start, and says what is missing', () => {
  delete process.env.NO_SUCH_TABLE;
  expect(() => requiredEnv('NO_SUCH_TABLE')).toThrow('the environment variable NO_SUCH_TABLE is not set');
});
