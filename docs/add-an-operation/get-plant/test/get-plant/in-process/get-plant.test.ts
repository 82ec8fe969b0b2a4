import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, expect, jest, test } from '@jest/globals';
import { dynamodbClient } from '../../../lambda/shared/dynamodb/client.ts';
import { lambdaContext } from '../../support/lambda-context.ts';
import { startDynamodbInMemory } from '../../support/servers/dynamodb-in-memory.ts';

const store = startDynamodbInMemory('Plants', 'N');
const stop = async () => (await store).stop();
afterAll(stop);

test('GET /plants/{id} returns a plant, 1005 for an unknown id, 1006 for a query, 1500 without DynamoDB', async () => {
  jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  await store;
  process.env.PLANTS_TABLE = 'Plants';
  const oak = new PutCommand({ TableName: 'Plants', Item: { id: 2n ** 63n - 1n, name: 'Oak' } });
  await dynamodbClient().send(oak);
  const { handler, warmUp } = await import('../../../lambda/get-plant/index.ts');
  await warmUp();
  const get = async (id: string, query: object | null = null) => {
    const event = JSON.parse(
      JSON.stringify({ pathParameters: { id }, queryStringParameters: query }),
    );
    const { statusCode, body } = await handler(event, lambdaContext());
    return `${statusCode} ${body}`;
  };
  expect(await get('9223372036854775807')).toBe('200 {"name":"Oak"}');
  expect(await get('9223372036854775807', { consistent: 'false' })).toBe('200 {"name":"Oak"}');
  for (const id of ['9223372036854775806', 'x', '01']) expect(await get(id)).toMatch(/^404 .*1005/);
  expect(await get('1', { consistent: 'no' })).toMatch(/^400 .*1006/);
  await stop();
  expect(await get('1')).toMatch(/^400 .*1500/);
});
