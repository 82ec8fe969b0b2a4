import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { tokensTable } from '../../../../../lambda/authorize/tokens-table.ts';
import { dynamodbClient } from '../../../../../lambda/shared/dynamodb/client.ts';
import { runWarmUp, warmUpClient } from '../../../../../lambda/shared/dynamodb/warm-up.ts';

const NOWHERE = 'http://127.0.0.1:1';

afterEach(() => {
  jest.restoreAllMocks();
});

test('a warm-up client does not retry if DynamoDB cannot be reached', async () => {
  const credentials = { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' };
  Object.assign(process.env, {
    AWS_REGION: 'us-east-1',
    AWS_ENDPOINT_URL_DYNAMODB: NOWHERE,
    ...credentials,
  });
  const find = tokensTable(warmUpClient(dynamodbClient()), 'Tokens');
  await expect(find('')).rejects.toMatchObject({ $metadata: { httpStatusCode: 400, attempts: 1 } });
});

describe('runWarmUp', () => {
  test('resolves even if the command never ends', async () => {
    await expect(runWarmUp(() => new Promise(() => {}))).resolves.toBeUndefined();
  });

  test('waits for the command, and leaves no timer running', async () => {
    const set = jest.spyOn(globalThis, 'setTimeout');
    const clear = jest.spyOn(globalThis, 'clearTimeout');
    let ended = false;
    await runWarmUp(async () => {
      ended = true;
    });
    expect(ended).toBe(true);
    expect(set).toHaveBeenCalledWith(expect.any(Function), 250);
    expect(clear.mock.calls).toContainEqual([set.mock.results[0]?.value]);
  });
});
