import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { asTokenRecord } from '../token-record.ts';
import type { FindToken } from './check-token.ts';

/** The tokens in a DynamoDB table. Reads are consistent: a token works from the moment it is issued. */
export const tokensTable =
  (client: DynamoDBDocumentClient, tableName: string): FindToken =>
  async (id) => {
    const { Item } = await client.send(
      new GetCommand({ TableName: tableName, Key: { id }, ConsistentRead: true }),
    );
    return Item && asTokenRecord(Item);
  };
