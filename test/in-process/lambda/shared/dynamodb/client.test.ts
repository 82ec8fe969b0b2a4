import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import {
  dynamodbClient,
  isItemTooLarge,
  sdkSettings,
  withTimeout,
} from '../../../../../lambda/shared/dynamodb/client.ts';
import { startScriptedServer } from '../../../../support/servers/scripted-server.ts';

const environment = {
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  AWS_ENDPOINT_URL_DYNAMODB: 'http://dynamodb',
};
Object.assign(process.env, environment);

const stops: (() => unknown)[] = [];
afterEach(async () => {
  jest.restoreAllMocks();
  for (const stop of stops.splice(0)) await stop();
});

describe('dynamodbClient', () => {
  test('sends a command three times if DynamoDB keeps failing, each time with timeouts of a second or less', async () => {
    const dynamodb = await startScriptedServer({ status: 500, body: '{}' });
    process.env.AWS_ENDPOINT_URL_DYNAMODB = dynamodb.url;
    const client = dynamodbClient();
    stops.push(() => client.destroy(), dynamodb.stop);
    const get = new GetItemCommand({ TableName: 'Notes', Key: { id: { N: '1' } } });
    await expect(client.send(get)).rejects.toMatchObject({
      $metadata: { httpStatusCode: 500, attempts: 3 },
    });
    expect(dynamodb.requests).toHaveLength(3);
    // test/bundle/dynamodb-failures.test.ts tests that these timeouts end an attempt.
    const timeouts = { connectionTimeout: 500, requestTimeout: 1_000, socketTimeout: 1_000 };
    const config = { ...timeouts, throwOnRequestTimeout: true };
    expect(client.config.requestHandler).toMatchObject({ config });
  });
});

test('withTimeout aborts after 5 seconds, and leaves no timer running', async () => {
  const set = jest.spyOn(globalThis, 'setTimeout');
  const clear = jest.spyOn(globalThis, 'clearTimeout');
  const signal = await withTimeout(async ({ abortSignal }) => abortSignal);
  expect(set).toHaveBeenCalledWith(expect.any(Function), 5_000);
  expect(clear.mock.calls).toEqual([[set.mock.results[0]?.value]]);
  set.mock.calls[0]?.[0]();
  expect(signal.aborted).toBe(true);
});

test('sdkSettings returns the endpoint from the environment variable if the variable is set', () => {
  Object.assign(process.env, {
    AWS_REGION: 'us-east-1',
    AWS_ENDPOINT_URL_DYNAMODB: 'http://dynamodb',
  });
  expect(sdkSettings()).toMatchObject({ endpoint: 'http://dynamodb', region: 'us-east-1' });
  expect(sdkSettings().endpointProvider?.({})).toEqual({ url: new URL('http://dynamodb') });
  process.env.AWS_ENDPOINT_URL_DYNAMODB = '';
  expect(sdkSettings()).not.toHaveProperty('endpoint');
});

test.each([
  [true, new Error('Item size has exceeded the maximum allowed size'), 'ValidationException'],
  [false, new Error('One or more parameter values were invalid'), 'ValidationException'],
  [false, new Error('Item size has exceeded the maximum allowed size'), 'Error'],
])('isItemTooLarge returns %p for %p with the name %s', (expected, error, name) => {
  expect(isItemTooLarge(Object.assign(error, { name }))).toBe(expected);
  expect(isItemTooLarge({ name, message: error.message })).toBe(false);
});
