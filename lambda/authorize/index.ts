import { dynamodb } from '../dynamodb.ts';
import { observeAuthorizer } from '../observe-authorizer.ts';
import { requestLog } from '../request-log.ts';
import { requiredEnv } from '../required-env.ts';
import { createHandler } from './handler.ts';
import { tokensTable } from './tokens-table.ts';

export const handler = observeAuthorizer(
  createHandler(tokensTable(dynamodb(), requiredEnv('TOKENS_TABLE'))),
  requestLog('authorize', requiredEnv('STAGE')),
);
