import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { type JsonObject, objectAt } from '../../emulator/json.ts';
import { leaveOutLocally } from '../../lib/leave-out-locally.ts';
import { startTestEmulator, type TestEmulator } from './fixtures/emulator.ts';
import { send } from './fixtures/http.ts';
import { arnOf, method, ref, restApi } from './fixtures/resources.ts';

const functions = {
  Show: 'exports.handler = async () => ({ statusCode: 200, body: [process.env.URL, process.env.ARN].join() });',
};
const showing = (queue: string) => ({
  functions,
  properties: { Show: { Environment: { Variables: { URL: ref(queue), ARN: arnOf(queue) } } } },
});
const api = { ...restApi(), ...method('show', 'GET', arnOf('Show')) };

describe('a resource that the stack leaves out on this machine', () => {
  const resources = resourcesWith((queue) => leaveOutLocally(queue, 'plants are not announced'));
  const [logicalId = ''] = Object.keys(resources);
  let emulator: TestEmulator;
  beforeAll(async () => {
    emulator = await startTestEmulator({
      ...showing(logicalId),
      resources: { ...api, ...resources },
      outputs: { QueueArn: { Value: arnOf(logicalId) } },
    });
  });
  afterAll(() => emulator.stop());

  test('is named with its type and the reason', () => {
    expect([...emulator.leftOut]).toEqual([[logicalId, 'AWS::SQS::Queue: plants are not announced']]);
  });

  test('resolves a Ref to its logical id, and Fn::GetAtt to the logical id and the attribute', async () => {
    expect((await send(emulator.url, '/show')).text).toBe(`${logicalId},${logicalId}.Arn`);
  });

  test('fails the start if a method invokes it', async () => {
    const announce = method('announce', 'GET', arnOf(logicalId));
    const start = startTestEmulator({ functions, resources: { ...api, ...announce, ...resources } });
    await expect(start).rejects.toThrow(
      `GET /announce: the template has no function arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/${logicalId}.Arn/`,
    );
  });

  test('is deployed like any other', () => {
    const metadata = { Metadata: { 'emulator:leave-out': 'plants are not announced' } };
    expect(resources).toEqual({
      [logicalId]: { ...objectAt(resourcesWith(() => {})[logicalId], logicalId), ...metadata },
    });
  });
});

/** A stack with one queue. */
function resourcesWith(change: (queue: Queue) => void): JsonObject {
  const stack = new Stack();
  change(new Queue(stack, 'Announced'));
  return Template.fromStack(stack).toJSON().Resources;
}
