import { dynamodbClient } from '../shared/dynamodb/client.ts';
import { runWarmUp } from '../shared/dynamodb/warm-up.ts';
import { type FunctionEnv, type OperationEnv, requiredEnv } from '../shared/env.ts';
import { requestLog } from '../shared/log/request-log.ts';
import { createPlantHandler } from './handler.ts';
import { putPlantIn } from './plants-table.ts';

const dynamodb = dynamodbClient();
const tableName = requiredEnv<OperationEnv>('PLANTS_TABLE');

export const handler = createPlantHandler(
  putPlantIn(dynamodb, tableName),
  requestLog('create-plant', requiredEnv<FunctionEnv>('STAGE')),
);

/** Stores no plant: see `runWarmUp`. */
export const warmUp = () =>
  runWarmUp(dynamodb, (client) => {
    const put = putPlantIn(client, tableName);
    return put({ id: 0n, name: '' });
  });
