import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, jest, test } from '@jest/globals';
import { dynamodbClient } from '../../../lambda/shared/dynamodb/client.ts';
import { startDynamodbInMemory } from '../../support/dynamodb-in-memory.ts';
import { lambdaContext } from './lambda-context.ts';

test('GET /plants/{id} returns a plant, 1005 if no plant has the id, and 1500 without DynamoDB', async () => {
  jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  const { stop } = await startDynamodbInMemory();
  const oak = new PutCommand({ TableName: 'Plants', Item: { id: 2n ** 63n - 1n, name: 'Oak' } });
  await dynamodbClient().send(oak);
  const { handler, warmUp } = await import('../../../lambda/get-plant/index.ts');
  await warmUp();
  const get = async (id: string) => {
    const event = JSON.parse(`{"pathParameters":{"id":"${id}"}}`);
    const { statusCode, body } = await handler(event, lambdaContext());
    return `${statusCode} ${body}`;
  };
  expect(await get('9223372036854775807')).toBe('200 {"name":"Oak"}');
  for (const id of ['9223372036854775806', 'x']) expect(await get(id)).toMatch(/^404 .*1005/);
  await stop();
  expect(await get('1')).toMatch(/^400 .*1500/);
});
