import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { tokensTable } from '../../../../../lambda/authorize/tokens-table.ts';
import { dynamodbClient } from '../../../../../lambda/shared/dynamodb/client.ts';
import { runWarmUp } from '../../../../../lambda/shared/dynamodb/warm-up.ts';

const NOWHERE = 'http://127.0.0.1:1';

afterEach(() => {
  jest.restoreAllMocks();
});

Object.assign(process.env, {
  AWS_REGION: 'us-east-1',
  AWS_ENDPOINT_URL_DYNAMODB: NOWHERE,
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
});
const dynamodb = dynamodbClient();

describe('runWarmUp', () => {
  test('does not retry if DynamoDB cannot be reached', async () => {
    let error: unknown;
    await runWarmUp(dynamodb, async (client) => {
      error = await tokensTable(client, 'Tokens')('').catch((thrown) => thrown);
    });
    expect(error).toMatchObject({ $metadata: { httpStatusCode: 400, attempts: 1 } });
  });

  test('resolves even if the command never ends', async () => {
    await expect(runWarmUp(dynamodb, () => new Promise(() => {}))).resolves.toBeUndefined();
  });

  test('waits for the command, and leaves no timer running', async () => {
    const set = jest.spyOn(globalThis, 'setTimeout');
    const clear = jest.spyOn(globalThis, 'clearTimeout');
    let ended = false;
    await runWarmUp(dynamodb, async () => {
      ended = true;
    });
    expect(ended).toBe(true);
    expect(set).toHaveBeenCalledWith(expect.any(Function), 250);
    expect(clear.mock.calls).toContainEqual([set.mock.results[0]?.value]);
  });
});
