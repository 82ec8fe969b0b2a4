import { expect, jest, test } from '@jest/globals';
import { startDynamodbInMemory } from '../../support/dynamodb-in-memory.ts';
import { lambdaContext } from './lambda-context.ts';

test('POST /gardens creates a garden, rejects another with its id, and returns 1500 without DynamoDB', async () => {
  jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  const { stop } = await startDynamodbInMemory();
  // Both have the same key. The function reads the environment when it is loaded.
  process.env.GARDENS_TABLE = 'Plants';
  const { handler, warmUp } = await import('../../../lambda/create-garden/index.ts');
  await warmUp();
  const post = async (garden: object) => {
    const event = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(garden) };
    const { statusCode, body } = await handler(JSON.parse(JSON.stringify(event)), lambdaContext());
    return [statusCode, JSON.parse(body)];
  };
  const kew = { id: 1, name: 'Kew' };
  expect(await post(kew)).toEqual([200, { name: 'Kew' }]);
  expect(await post(kew)).toEqual([200, { name: 'Kew' }]);
  expect(await post({ id: 1, name: 'Eden' })).toMatchObject([400, { error: 1006 }]);
  expect(await post({ id: 1 })).toMatchObject([400, { error: 1002, message: 'name is required' }]);
  expect(await post({ id: 2, name: 'x'.repeat(410_000) })).toMatchObject([400, { error: 1003 }]);
  await stop();
  expect(await post(kew)).toMatchObject([400, { error: 1500 }]);
});
