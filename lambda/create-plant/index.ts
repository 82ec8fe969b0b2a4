import { dynamodb } from '../dynamodb.ts';
import { requestLog } from '../request-log.ts';
import { requiredEnv } from '../required-env.ts';
import { createHandler } from './handler.ts';
import { plantsTable } from './plants-table.ts';

export const handler = createHandler(
  plantsTable(dynamodb(), requiredEnv('PLANTS_TABLE')),
  requestLog('create-plant', requiredEnv('STAGE')),
);
