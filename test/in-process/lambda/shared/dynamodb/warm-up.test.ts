import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { findTokenIn } from '../../../../../lambda/authorize/tokens-table.ts';
import { dynamodbClient } from '../../../../../lambda/shared/dynamodb/client.ts';
import { runWarmUp } from '../../../../../lambda/shared/dynamodb/warm-up.ts';

const NOWHERE = 'http://127.0.0.1:1';

// On a busy machine, the timeout would otherwise end before the command.
beforeEach(() => {
  jest.useFakeTimers();
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
      error = await findTokenIn(client, 'Tokens')('').catch((thrown) => thrown);
    });
    expect(error).toMatchObject({ $metadata: { httpStatusCode: 400, attempts: 1 } });
  });

  test('resolves after 250 ms even if the command never ends', async () => {
    const ended = jest.fn();
    const warmUp = runWarmUp(dynamodb, () => new Promise(() => {})).then(ended);
    await jest.advanceTimersByTimeAsync(249);
    expect(ended).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    await warmUp;
  });

  test('waits for the command, and leaves no timer running', async () => {
    let ended = false;
    await runWarmUp(dynamodb, async () => {
      ended = true;
    });
    expect({ ended, timers: jest.getTimerCount() }).toEqual({ ended: true, timers: 0 });
  });
});
