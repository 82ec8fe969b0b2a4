import { dynamodb } from '../shared/dynamodb.ts';
import { observeAuthorizer } from '../shared/log/observe-authorizer.ts';
import { requestLog } from '../shared/log/request-log.ts';
import { requiredEnv } from '../shared/env.ts';
import { primeWith } from '../shared/warm-up.ts';
import { rehearse } from '../shared/warm-up-client.ts';
import { createHandler } from './handler.ts';
import { tokensTable } from './tokens-table.ts';

const client = dynamodb();
const tableName = requiredEnv('TOKENS_TABLE');

export const handler = observeAuthorizer(
  createHandler(tokensTable(client, tableName)),
  requestLog('authorize', requiredEnv('STAGE')),
);

export const prime = () => primeWith(() => tokensTable(rehearse(client), tableName)(''));
