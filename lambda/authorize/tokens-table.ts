import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { withTimeout } from '../shared/dynamodb/client.ts';
import { asTokenRecord } from '../shared/tokens/access-token.ts';
import type { FindToken } from './check-token.ts';

/** Finds tokens in a DynamoDB table. Reads are strongly consistent, so a token works as soon as it is issued. */
export const findTokenIn =
  (dynamodb: DynamoDBDocumentClient, tableName: string): FindToken =>
  async (id) => {
    const command = new GetCommand({ TableName: tableName, Key: { id }, ConsistentRead: true });
    const { Item } = await withTimeout((options) => dynamodb.send(command, options));
    return Item && asTokenRecord(Item);
  };
