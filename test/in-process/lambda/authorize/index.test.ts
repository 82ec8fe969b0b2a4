import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { dynamodbClient } from '../../../../lambda/shared/dynamodb/client.ts';
import { mintAccessToken } from '../../../../lambda/shared/tokens/access-token.ts';
import { lambdaContext } from '../../../support/lambda-context.ts';
import { startDynamodbInMemory } from '../../../support/servers/dynamodb-in-memory.ts';

const api = 'arn:aws:execute-api:us-east-1:123456789012:api';
const now = Date.now() / 1000;

let authorize: typeof import('../../../../lambda/authorize/index.ts');
let lines: string[];
beforeAll(async () => {
  jest.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0);
  await startDynamodbInMemory('Tokens', 'S');
  // The function reads environment variables when it is loaded.
  process.env.TOKENS_TABLE = 'Tokens';
  authorize = await import('../../../../lambda/authorize/index.ts');
});
afterAll(() => {
  jest.restoreAllMocks();
});

/** Stores a token that expires at a time, in seconds since 1970, and sends it to the function. */
async function authorizeToken(expiresAt: number) {
  const { id, hash, token } = mintAccessToken();
  const client = dynamodbClient();
  const Item = { id, hash, client: 'somebody', issuedAt: 1, expiresAt };
  await client.send(new PutCommand({ TableName: 'Tokens', Item }));
  client.destroy();
  lines = [];
  const event = {
    type: 'TOKEN' as const,
    authorizationToken: `Bearer ${token}`,
    methodArn: `${api}/dev/POST/a`,
  };
  return { id, result: authorize.handler(event, lambdaContext()) };
}

// test/bundle/warm-up.test.ts tests what the warm-up sends.
describe('the authorize function', () => {
  test('allows a token that is in the table, and logs its holder as the client', async () => {
    await authorize.warmUp();
    const { id, result } = await authorizeToken(now + 60);
    const Statement = [{ Effect: 'Allow', Action: 'execute-api:Invoke', Resource: `${api}/dev/*` }];
    await expect(result).resolves.toMatchObject({
      principalId: id,
      policyDocument: { Statement },
      context: { client: 'somebody' },
    });
    const logged = { service: 'authorize', stage: 'dev', outcome: 'allowed', client: 'somebody' };
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([logged]);
  });

  test('throws Unauthorized, which API Gateway turns into a 401, for a token that has expired', async () => {
    const { result } = await authorizeToken(now - 60);
    // Lambda logs the error's stack, so the stack must contain only the message.
    await expect(result).rejects.toMatchObject({ message: 'Unauthorized', stack: 'Unauthorized' });
  });
});
