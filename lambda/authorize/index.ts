import { dynamodb } from '../dynamodb.ts';
import { observeAuthorizer } from '../observe-authorizer.ts';
import { primeWith } from '../prime.ts';
import { rehearse } from '../rehearse.ts';
import { requestLog } from '../request-log.ts';
import { requiredEnv } from '../required-env.ts';
import { createHandler } from './handler.ts';
import { tokensTable } from './tokens-table.ts';

const client = dynamodb();
const tableName = requiredEnv('TOKENS_TABLE');

export const handler = observeAuthorizer(
  createHandler(tokensTable(client, tableName)),
  requestLog('authorize', requiredEnv('STAGE')),
);

export const prime = () => primeWith(() => tokensTable(rehearse(client), tableName)(''));
