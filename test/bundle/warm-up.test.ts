import { describe, expect, test } from '@jest/globals';
import type { FunctionName } from '../../lib/functions/function-names.ts';
import { type ScriptedServer, startScriptedServer } from '../support/servers/scripted-server.ts';
import { exampleOperation } from '../support/service/contract.ts';
import { authorizeEvent, exampleEvent, startFunction, tokenItem } from './running-function.ts';

const dynamodbWith = (reply: object) =>
  startScriptedServer({ status: 200, body: JSON.stringify(reply) });

/** An environment in which a function reaches the table, even if the warm-up is slow on a busy machine. */
function reaching(dynamodb: ScriptedServer): Record<string, string> {
  return { AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url, TIMER_FACTOR: '100' };
}

const operation = exampleOperation.functionName;

const fault = { statusCode: 400, body: expect.stringContaining('"error":1500') };

describe.each<[FunctionName, object, object, object]>([
  [operation, exampleEvent(), {}, { result: fault }],
  [
    'authorize',
    authorizeEvent,
    { Item: tokenItem },
    { error: expect.stringContaining('environment variable credentials') },
  ],
])('init of %s', (name, event, reply, withoutCredentials) => {
  test('opens the connection for the first request, and does not read or write any items', async () => {
    const dynamodb = await dynamodbWith(reply);
    const running = await startFunction(name, {
      ...reaching(dynamodb),
      AWS_SESSION_TOKEN: 'session',
    });
    expect(dynamodb.requests).toMatchObject([{ method: 'GET', path: '/', body: '' }]);
    expect(dynamodb.requests[0]?.headers).not.toHaveProperty('authorization');

    await running.invoke(event);
    expect(dynamodb.connections).toHaveLength(1);
    expect(dynamodb.requests.at(-1)?.headers).toMatchObject({ 'x-amz-security-token': 'session' });
  });

  test('succeeds without credentials, and the first request reports that they are missing', async () => {
    const dynamodb = await dynamodbWith(reply);
    const running = await startFunction(name, { ...reaching(dynamodb), AWS_ACCESS_KEY_ID: '' });
    await expect(running.invoke(event)).resolves.toMatchObject(withoutCredentials);
    expect(dynamodb.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});

test('an operation reads no configuration files during init and its first request', async () => {
  // Without an endpoint, the SDK would read the most settings. No endpoint of this region exists.
  const running = await startFunction(operation, { AWS_REGION: 'nowhere-1' });
  await expect(running.invoke(exampleEvent())).resolves.toMatchObject({
    result: { statusCode: 400 },
  });
  await expect(running.state()).resolves.toMatchObject({ warnings: [] });
});
