import { afterAll, expect, jest, test } from '@jest/globals';
import { lambdaContext } from '../../support/lambda-context.ts';
import { startDynamodbInMemory } from '../../support/servers/dynamodb-in-memory.ts';
import { openapi } from '../../support/service/contract.ts';
import { writeExactly } from '../../support/service/http.ts';

const { value: order } =
  openapi.paths['/orders'].post.requestBody.content['application/json'].examples.order;
const store = startDynamodbInMemory('Orders', 'S');
const stop = async () => (await store).stop();
afterAll(stop);

const reversed = (fields: object) => Object.fromEntries(Object.entries(fields).reverse());

test('POST /orders creates an order, rejects another with its id, and returns 1500 without DynamoDB', async () => {
  jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  await store;
  process.env.ORDERS_TABLE = 'Orders';
  const { handler, warmUp } = await import('../../../lambda/create-order/index.ts');
  await warmUp();
  const post = async (body: object) => {
    const headers = { 'content-type': 'application/json' };
    const event = JSON.parse(JSON.stringify({ headers, body: writeExactly(body) }));
    const response = await handler(event, lambdaContext());
    return `${response.statusCode} ${response.body}`;
  };

  const elm = { plantId: 1n, quantity: 2 };
  const oak = { plantId: 2n ** 53n + 3n, quantity: 2 };
  const sent = { ...order, items: [elm, oak] };
  const address = reversed(order.address);
  for (const retry of [
    sent,
    sent,
    reversed({ ...sent, address, items: [reversed(elm), reversed(oak)] }),
  ])
    expect(await post(retry)).toBe(`200 ${JSON.stringify({ id: order.id, status: order.status })}`);

  const otherOrders = [
    { ...sent, status: 'placed' },
    { ...sent, items: [oak, elm] },
    // As a number, this id is the same.
    { ...sent, items: [elm, { ...oak, plantId: oak.plantId + 1n }] },
  ];
  for (const other of otherOrders) expect(await post(other)).toMatch(/^400 .*1007/);

  expect(await post({ ...sent, items: [{ ...elm, quantity: 0 }] })).toMatch(
    /^400 .*1002,"message":"items.0.quantity/,
  );
  expect(await post({ ...sent, address: { ...address, street: 'x'.repeat(410_000) } })).toMatch(
    /^400 .*1003/,
  );
  await stop();
  expect(await post(sent)).toMatch(/^400 .*1500/);
});
