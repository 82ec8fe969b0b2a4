import validate, { int64s } from '../generated/validate-create-order-event.js';
import { dynamodbClient } from '../shared/dynamodb/client.ts';
import { runWarmUp } from '../shared/dynamodb/warm-up.ts';
import { type FunctionEnv, type OperationEnv, requiredEnv } from '../shared/env.ts';
import { jsonOperation } from '../shared/http/json-operation.ts';
import { jsonResponse } from '../shared/http/response.ts';
import { observePut } from '../shared/log/observe.ts';
import { requestLog } from '../shared/log/request-log.ts';
import { createOrder, type NewOrder } from './create-order.ts';
import { putOrderIn } from './orders-table.ts';

const dynamodb = dynamodbClient();
const tableName = requiredEnv<OperationEnv>('ORDERS_TABLE');
const put = putOrderIn(dynamodb, tableName);

/** POST /orders: returns 200 with an Order, or 400 with an Error. */
export const handler = jsonOperation<NewOrder>({
  validate,
  int64s,
  run: async ({ body }, { observation }) =>
    jsonResponse(200, await createOrder(body, observePut(put, observation))),
  log: requestLog('create-order', requiredEnv<FunctionEnv>('STAGE')),
});

export const warmUp = () =>
  runWarmUp(dynamodb, (client) => {
    const address = { street: '', city: '', country: '' };
    const put = putOrderIn(client, tableName);
    return put({ id: '', status: 'draft', address, items: [] });
  });
