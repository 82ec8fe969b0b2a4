import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, jest, test } from '@jest/globals';
import {
  dynamodbClient,
  sdkSettings,
  withTimeout,
} from '../../../../../lambda/shared/dynamodb/client.ts';
import {
  type ScriptedServer,
  startScriptedServer,
} from '../../../../support/servers/scripted-server.ts';

Object.assign(process.env, {
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
});

const get = new GetItemCommand({ TableName: 'Notes', Key: { id: { N: '1' } } });

async function sendTo(...script: ScriptedServer['script']) {
  const dynamodb = await startScriptedServer(...script);
  process.env.AWS_ENDPOINT_URL_DYNAMODB = dynamodb.url;
  const client = dynamodbClient();
  const { $metadata } = await withTimeout((options) => client.send(get, options)).catch(Object);
  const { requestHandler } = client.config;
  client.destroy();
  return { $metadata, attempts: dynamodb.requests.length, requestHandler };
}

describe('dynamodbClient', () => {
  // A local server cannot leave a connection unanswered, so this test reads the timeout for connections.
  test('sends a command three times if DynamoDB keeps failing, with 500 ms for each connection', async () => {
    await expect(sendTo({ status: 500, body: '{}' })).resolves.toMatchObject({
      $metadata: { httpStatusCode: 500 },
      attempts: 3,
      requestHandler: { config: { connectionTimeout: 500 } },
    });
  });

  test('sends a command again after a second in which no response begins, or a response stalls', async () => {
    const warned = jest.spyOn(console, 'warn').mockReturnValue();
    const stalling = async function* () {
      yield Buffer.from('{"It');
      await new Promise(() => {});
    };
    const good = { status: 200, body: '{}' };
    const again = { $metadata: { httpStatusCode: 200 }, attempts: 2 };
    await expect(
      Promise.all([sendTo('none', good), sendTo({ status: 200, body: stalling }, good)]),
    ).resolves.toMatchObject([again, again]);
    // A request timeout that does not end the attempt only warns.
    expect(warned).not.toHaveBeenCalled();
  });
});

test('withTimeout aborts after 5 seconds, and leaves no timer running', async () => {
  jest.useFakeTimers();
  const aborted = await withTimeout(async ({ abortSignal }) => {
    jest.advanceTimersByTime(4_999);
    const early = abortSignal.aborted;
    jest.advanceTimersByTime(1);
    return [early, abortSignal.aborted];
  });
  expect(aborted).toEqual([false, true]);
  await withTimeout(async () => {});
  expect(jest.getTimerCount()).toBe(0);
  jest.useRealTimers();
});

test('sdkSettings returns the endpoint from the environment variable if the variable is set', () => {
  process.env.AWS_ENDPOINT_URL_DYNAMODB = 'http://dynamodb';
  expect(sdkSettings()).toMatchObject({ endpoint: 'http://dynamodb', region: 'us-east-1' });
  expect(sdkSettings().endpointProvider?.({})).toEqual({ url: new URL('http://dynamodb') });
  process.env.AWS_ENDPOINT_URL_DYNAMODB = '';
  expect(sdkSettings()).not.toHaveProperty('endpoint');
});
