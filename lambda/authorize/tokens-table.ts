import { type AttributeValue, type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { withinDeadline } from '../dynamodb.ts';
import { asTokenRecord } from '../token-record.ts';
import type { FindToken } from './check-token.ts';

/** The tokens in a DynamoDB table. Reads are consistent: a token works from the moment it is issued. */
export const tokensTable =
  (client: DynamoDBClient, tableName: string): FindToken =>
  async (id) => {
    const command = new GetItemCommand({
      TableName: tableName,
      Key: { id: { S: id } },
      ConsistentRead: true,
    });
    const { Item } = await withinDeadline((options) => client.send(command, options));
    return Item && asTokenRecord(plain(Item));
  };

/** A token record has strings and numbers only. */
function plain(item: Record<string, AttributeValue>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(item).map(([name, { S, N }]) => [name, N === undefined ? S : Number(N)]),
  );
}
