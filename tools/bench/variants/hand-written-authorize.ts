/** The authorizer, written with only client-dynamodb, and bundled like the deployed one. */
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import type { FindToken } from '../../../lambda/authorize/check-token.ts';
import { createHandler } from '../../../lambda/authorize/handler.ts';
import { withTimeout } from '../../../lambda/shared/dynamodb.ts';
import { requiredEnv } from '../../../lambda/shared/env.ts';
import { observeAuthorizer } from '../../../lambda/shared/log/observe.ts';
import { requestLog } from '../../../lambda/shared/log/request-log.ts';
import { asTokenRecord, type TokenRecord } from '../../../lambda/shared/tokens/access-token.ts';
import { lowLevelClient } from './low-level-client.ts';

const client = lowLevelClient();
const TableName = requiredEnv('TOKENS_TABLE');

const find: FindToken = async (id) => {
  const command = new GetItemCommand({ TableName, Key: { id: { S: id } }, ConsistentRead: true });
  const { Item } = await withTimeout((options) => client.send(command, options));
  return Item && tokenRecordOf(Item);
};

export const handler = observeAuthorizer(createHandler(find), requestLog('authorize', requiredEnv('STAGE')));

/** Converts a DynamoDB item to a token record. */
function tokenRecordOf(item: Record<string, { S?: string; N?: string }>): TokenRecord {
  const { id, name, hash, issuedAt, expiresAt } = item;
  return asTokenRecord({
    id: id?.S,
    name: name?.S,
    hash: hash?.S,
    issuedAt: Number(issuedAt?.N),
    ...(expiresAt === undefined ? {} : { expiresAt: Number(expiresAt.N) }),
  });
}
