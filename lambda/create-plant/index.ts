import { dynamodb } from '../shared/dynamodb.ts';
import { requestLog } from '../shared/log/request-log.ts';
import { requiredEnv } from '../shared/env.ts';
import { primeWith } from '../shared/warm-up.ts';
import { rehearse } from '../shared/warm-up-client.ts';
import { createHandler } from './handler.ts';
import { plantsTable } from './plants-table.ts';

const client = dynamodb();
const tableName = requiredEnv('PLANTS_TABLE');

export const handler = createHandler(
  plantsTable(client, tableName),
  requestLog('create-plant', requiredEnv('STAGE')),
);

export const prime = () => primeWith(() => plantsTable(rehearse(client), tableName)({ id: 0n, name: '' }));
