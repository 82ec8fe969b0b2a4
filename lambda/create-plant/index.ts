import { dynamodb } from '../dynamodb.ts';
import { primeWith } from '../prime.ts';
import { rehearse } from '../rehearse.ts';
import { requestLog } from '../request-log.ts';
import { requiredEnv } from '../required-env.ts';
import { createHandler } from './handler.ts';
import { plantsTable } from './plants-table.ts';

const client = dynamodb();
const tableName = requiredEnv('PLANTS_TABLE');

export const handler = createHandler(
  plantsTable(client, tableName),
  requestLog('create-plant', requiredEnv('STAGE')),
);

export const prime = () => primeWith(() => plantsTable(rehearse(client), tableName)({ id: 0n, name: '' }));
