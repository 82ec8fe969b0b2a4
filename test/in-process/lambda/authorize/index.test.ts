import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { tokensTable } from '../../../../lambda/authorize/tokens-table.ts';
import { dynamodbClient } from '../../../../lambda/shared/dynamodb/client.ts';
import { requiredEnv } from '../../../../lambda/shared/env.ts';
import { mintAccessToken } from '../../../../lambda/shared/tokens/access-token.ts';
import { createPlantEvent } from '../../../create-plant/create-plant-event.ts';
import { type DynamodbInMemory, startDynamodbInMemory } from '../../../support/dynamodb-in-memory.ts';

const methodArn = 'arn:aws:execute-api:us-east-1:123456789012:api/dev/POST/plants';
const context = { getRemainingTimeInMillis: () => 10_000 };
const { id, hash, text } = mintAccessToken();

let store: DynamodbInMemory;
let client: ReturnType<typeof dynamodbClient>;
let warmUps: (() => Promise<void>)[];
// biome-ignore lint/suspicious/noExplicitAny: called with untyped events, as Lambda calls them
let functions: Record<'createPlant' | 'authorize' | 'authorizeOidc', any>;
beforeAll(async () => {
  jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  store = await startDynamodbInMemory();
  client = dynamodbClient();
  // The functions read environment variables when they are loaded.
  Object.assign(process.env, { OIDC_ISSUER: 'https://127.0.0.1:1', OIDC_AUDIENCE: 'plant-store' });
  const [createPlant, authorize, oidc] = await Promise.all([
    import('../../../../lambda/create-plant/index.ts'),
    import('../../../../lambda/authorize/index.ts'),
    import('../../../../lambda/authorize-oidc/index.ts'),
  ]);
  functions = { createPlant: createPlant.handler, authorize: authorize.handler, authorizeOidc: oidc.handler };
  warmUps = [createPlant.warmUp, authorize.warmUp];
  for (const Item of [{ id, hash, name: 'somebody', issuedAt: 1 }, { id: 'bad' }]) {
    await client.send(new PutCommand({ TableName: 'Tokens', Item }));
  }
});
afterAll(async () => {
  jest.restoreAllMocks();
  client.destroy();
  await store.stop();
});

test('the create-plant function creates the plant that is in the event', async () => {
  await expect(functions.createPlant({ ...createPlantEvent }, context)).resolves.toMatchObject({
    statusCode: 200,
  });
});

test('the authorize function allows a token that is in the table, and returns its holder as the client', async () => {
  const event = { type: 'TOKEN', authorizationToken: `Bearer ${text}`, methodArn };
  await expect(functions.authorize(event, context)).resolves.toMatchObject({
    principalId: id,
    policyDocument: {
      Statement: [
        { Effect: 'Allow', Action: 'execute-api:Invoke', Resource: methodArn.replace('POST/plants', '*') },
      ],
    },
    context: { client: 'somebody' },
  });
});

test('the authorize-oidc function throws Unauthorized if the token is not a JWT', async () => {
  const event = { type: 'TOKEN', authorizationToken: 'Bearer x', methodArn };
  await expect(functions.authorizeOidc(event, context)).rejects.toThrow(/^Unauthorized$/);
});

test('tokensTable returns undefined for an unknown id, and throws an error if an item is not a token record', async () => {
  await expect(tokensTable(client, 'Tokens')('id2')).resolves.toBeUndefined();
  await expect(tokensTable(client, 'Tokens')('bad')).rejects.toThrow('the item bad in the tokens table');
});

test('tokensTable throws the DynamoDB error if DynamoDB fails', async () => {
  const find = tokensTable(client, 'NoSuchTable');
  await expect(find('id')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
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
  await tokensTable(listening, 'Tokens')(id);
  expect(commands).toEqual([{ TableName: 'Tokens', Key: { id }, ConsistentRead: true }]);
  listening.destroy();
});

test('warmUp sends one health check to DynamoDB, and nothing else', async () => {
  for (const warmUp of warmUps) {
    const requests: unknown[] = [];
    const note = (message: unknown) => requests.push(message);
    subscribe('http.client.request.start', note);
    await expect(warmUp()).resolves.toBeUndefined();
    unsubscribe('http.client.request.start', note);
    expect(requests).toMatchObject([{ request: { method: 'GET', path: '/' } }]);
  }
});

test('requiredEnv throws an error that names the variable if it is not set', () => {
  delete process.env.NO_SUCH_TABLE;
  expect(() => requiredEnv('NO_SUCH_TABLE')).toThrow('the environment variable NO_SUCH_TABLE is not set');
});
