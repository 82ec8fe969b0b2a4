import { dynamodbClient } from '../shared/dynamodb/client.ts';
import { runWarmUp } from '../shared/dynamodb/warm-up.ts';
import { type AuthorizeEnv, type FunctionEnv, requiredEnv } from '../shared/env.ts';
import { observeAuthorizer } from '../shared/log/observe.ts';
import { authorizerLog } from '../shared/log/request-log.ts';
import { authorizeHandler } from './handler.ts';
import { findTokenIn } from './tokens-table.ts';

const dynamodb = dynamodbClient();
const tableName = requiredEnv<AuthorizeEnv>('TOKENS_TABLE');

export const handler = observeAuthorizer(
  authorizeHandler(findTokenIn(dynamodb, tableName)),
  authorizerLog(requiredEnv<FunctionEnv>('STAGE')),
);

/** Reads no token: see `runWarmUp`. */
export const warmUp = () =>
  runWarmUp(dynamodb, (client) => {
    const find = findTokenIn(client, tableName);
    return find('');
  });
