import type { FindToken } from '../../lambda/authorize/check-token.ts';
import { createHandler } from '../../lambda/authorize/handler.ts';
import { observeAuthorizer } from '../../lambda/shared/log/observe-authorizer.ts';
import { requestLog } from '../../lambda/shared/log/request-log.ts';
import { requiredEnv } from '../../lambda/shared/env.ts';
import { dynamodb } from './dynamodb-by-hand.ts';
import { tokenRecordOf } from './token-item.ts';

const TableName = requiredEnv('TOKENS_TABLE');

const find: FindToken = async (id) => {
  const { status, body } = await dynamodb('GetItem', {
    TableName,
    Key: { id: { S: id } },
    ConsistentRead: true,
  });
  if (status !== 200) throw new Error('the store failed');
  const { Item } = body;
  return typeof Item === 'object' && Item !== null ? tokenRecordOf({ ...Item }) : undefined;
};

export const handler = observeAuthorizer(createHandler(find), requestLog('authorize', requiredEnv('STAGE')));
