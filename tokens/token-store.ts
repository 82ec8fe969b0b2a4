import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  PutCommand,
  paginateScan,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { asTokenRecord, type TokenRecord } from '../lambda/shared/tokens/token-record.ts';

/** The records of the access tokens. */
export interface TokenStore {
  all(): Promise<TokenRecord[]>;
  add(record: TokenRecord): Promise<void>;
  /** Makes a token expire at a time in seconds since 1970, unless it expires sooner or has been deleted. */
  expireBy(id: string, expiresAt: number): Promise<void>;
  remove(id: string): Promise<void>;
}

/** Returns the token records of a DynamoDB table. */
export function tokenStore(client: DynamoDBDocumentClient, tableName: string): TokenStore {
  const TableName = tableName;
  return {
    all: async () => {
      const records: TokenRecord[] = [];
      for await (const { Items = [] } of paginateScan({ client }, { TableName, ConsistentRead: true })) {
        records.push(...Items.map(asTokenRecord));
      }
      return records;
    },
    add: async (record) => {
      const Item = { ...record };
      await client.send(new PutCommand({ TableName, Item, ConditionExpression: 'attribute_not_exists(id)' }));
    },
    expireBy: async (id, expiresAt) => {
      const update = new UpdateCommand({
        TableName,
        Key: { id },
        UpdateExpression: 'SET expiresAt = :t',
        ConditionExpression: 'attribute_exists(id) AND (attribute_not_exists(expiresAt) OR expiresAt > :t)',
        ExpressionAttributeValues: { ':t': expiresAt },
      });
      await client.send(update).catch((error) => {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
      });
    },
    remove: async (id) => {
      await client.send(new DeleteCommand({ TableName, Key: { id } }));
    },
  };
}
