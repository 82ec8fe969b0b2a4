import { expect, jest, test } from '@jest/globals';
import { startDynamodbInMemory } from '../../support/dynamodb-in-memory.ts';
import { lambdaContext } from './lambda-context.ts';

test('POST /gardens creates a garden, rejects a different one with the same id, and returns 1500 without DynamoDB', async () => {
  jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  const { stop } = await startDynamodbInMemory();
  // This test stores gardens in the plants table, which has the same key.
  process.env.GARDENS_TABLE = 'Plants';
  const { handler, warmUp } = await import('../../../lambda/create-garden/index.ts');
  await warmUp();
  const post = async (garden: object) => {
    const headers = { 'content-type': 'application/json' };
    const event = JSON.parse(JSON.stringify({ headers, body: JSON.stringify(garden) }));
    const { statusCode, body } = await handler(event, lambdaContext());
    return `${statusCode} ${body}`;
  };
  for (const _retry of [1, 2]) expect(await post({ id: 1, name: 'Kew' })).toBe('200 {"name":"Kew"}');
  expect(await post({ id: 1, name: 'Eden' })).toMatch(/^400 .*1006/);
  expect(await post({ id: 1 })).toMatch(/^400 .*1002,"message":"name is required"/);
  expect(await post({ id: 2, name: 'x'.repeat(410_000) })).toMatch(/^400 .*1003/);
  await stop();
  expect(await post({ id: 1, name: 'Kew' })).toMatch(/^400 .*1500/);
});
