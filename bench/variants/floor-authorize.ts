import { createHandler } from '../../lambda/authorize/handler.ts';
import { requiredEnv } from '../../lambda/required-env.ts';
import { dynamodb } from './dynamodb-by-hand.ts';
import { tokenRecordOf } from './token-item.ts';

const TableName = requiredEnv('TOKENS_TABLE');

export const handler = createHandler(async (id) => {
  const { status, body } = await dynamodb('GetItem', {
    TableName,
    Key: { id: { S: id } },
    ConsistentRead: true,
  });
  if (status !== 200) throw new Error('the store failed');
  const { Item } = body;
  return typeof Item === 'object' && Item !== null ? tokenRecordOf({ ...Item }) : undefined;
});
