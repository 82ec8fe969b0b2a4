import { afterAll, expect, jest, test } from '@jest/globals';
import { openapi } from '../../support/contract.ts';
import { startDynamodbInMemory } from '../../support/dynamodb-in-memory.ts';
import { lambdaContext } from '../../support/lambda-context.ts';

const { value: order } = openapi.paths['/orders'].post.requestBody.content['application/json'].examples.order;
const store = startDynamodbInMemory();
const stop = async () => (await store).stop();
afterAll(stop);

test('POST /orders creates an order, rejects a different one with the same id, and returns 1500 without DynamoDB', async () => {
  jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  await store;
  // This test stores orders in the tokens table, which has the same key.
  process.env.ORDERS_TABLE = 'Tokens';
  const { handler, warmUp } = await import('../../../lambda/create-order/index.ts');
  await warmUp();
  const post = async (changes: object) => {
    const headers = { 'content-type': 'application/json' };
    const event = JSON.parse(JSON.stringify({ headers, body: JSON.stringify({ ...order, ...changes }) }));
    const { statusCode, body } = await handler(event, lambdaContext());
    return `${statusCode} ${body}`;
  };
  for (const _retry of [1, 2])
    expect(await post({})).toBe(`200 ${JSON.stringify({ id: order.id, status: order.status })}`);
  expect(await post({ status: 'placed' })).toMatch(/^400 .*1007/);
  expect(await post({ items: [{ plantId: 1, quantity: 0 }] })).toMatch(
    /^400 .*1002,"message":"items.0.quantity/,
  );
  expect(await post({ address: { ...order.address, street: 'x'.repeat(410_000) } })).toMatch(/^400 .*1003/);
  await stop();
  expect(await post({})).toMatch(/^400 .*1500/);
});
