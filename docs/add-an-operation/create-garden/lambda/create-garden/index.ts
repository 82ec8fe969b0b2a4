import validate, { int64s } from '../generated/validate-create-garden-event.js';
import { dynamodbClient } from '../shared/dynamodb/client.ts';
import { runWarmUp, warmUpClient } from '../shared/dynamodb/warm-up.ts';
import { type FunctionEnv, type OperationEnv, requiredEnv } from '../shared/env.ts';
import { jsonOperation } from '../shared/http/json-operation.ts';
import { jsonResponse } from '../shared/http/response.ts';
import { observePut } from '../shared/log/observe.ts';
import { requestLog } from '../shared/log/request-log.ts';
import { gardensTable, type NewGarden } from './create-garden.ts';

const dynamodb = dynamodbClient();
const tableName = requiredEnv<OperationEnv>('GARDENS_TABLE');

/** POST /gardens: returns 200 with a Garden, or 400 with an Error. */
export const handler = jsonOperation<NewGarden>({
  validate,
  int64s,
  run: async ({ body }, { observation }) => {
    await observePut(gardensTable(dynamodb, tableName), observation)(body);
    return jsonResponse(200, { name: body.name });
  },
  log: requestLog('create-garden', requiredEnv<FunctionEnv>('STAGE')),
});

export const warmUp = () =>
  runWarmUp(() => gardensTable(warmUpClient(dynamodb), tableName)({ id: 0n, name: '' }));
