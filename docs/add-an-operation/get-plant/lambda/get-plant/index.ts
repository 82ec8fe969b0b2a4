import { dynamodbClient } from '../shared/dynamodb/client.ts';
import { runWarmUp } from '../shared/dynamodb/warm-up.ts';
import { type FunctionEnv, type OperationEnv, requiredEnv } from '../shared/env.ts';
import { pipeline } from '../shared/http/pipeline.ts';
import { jsonResponse } from '../shared/http/response.ts';
import { observeOperation } from '../shared/log/observe.ts';
import { requestLog } from '../shared/log/request-log.ts';
import { getPlant } from './get-plant.ts';
import { findPlantIn } from './plants-table.ts';

const dynamodb = dynamodbClient();
const tableName = requiredEnv<OperationEnv>('PLANTS_TABLE');
const find = findPlantIn(dynamodb, tableName);

/** GET /plants/{id}: returns 200 with a Plant, or 404 or 400 with an Error. */
export const handler = observeOperation(
  pipeline().handler(async ({ pathParameters: path, queryStringParameters: query }) =>
    jsonResponse(200, await getPlant(`${path?.id}`, query?.consistent, find)),
  ),
  requestLog('get-plant', requiredEnv<FunctionEnv>('STAGE')),
);

export const warmUp = () =>
  runWarmUp(dynamodb, (client) => {
    const find = findPlantIn(client, tableName);
    return find(0n, true);
  });
