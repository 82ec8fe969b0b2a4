import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  PutCommand,
  paginateScan,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import type { TokenRecord } from '../../lambda/shared/tokens/access-token.ts';
import { TOKENS_TABLE_OUTPUT } from '../../lib/outputs.ts';
import { type Connection, requireOutput } from '../command-line/connect.ts';

/** An item in the tokens table; it may be malformed. */
export type Item = Readonly<Record<string, unknown>>;

export type TokensTable = ReturnType<typeof tableIn>;

/** @throws UserError if the service has no tokens table */
export function tableOf(connection: Connection): TokensTable {
  const advice =
    'with an OpenID Connect provider, get a token from that provider; otherwise, deploy the stage again';
  return tableIn(connection.dynamodb, requireOutput(connection, TOKENS_TABLE_OUTPUT, advice));
}

export function tableIn(dynamodb: DynamoDBDocumentClient, TableName: string) {
  return {
    all: async () => {
      const items: Item[] = [];
      for await (const { Items = [] } of paginateScan(
        { client: dynamodb },
        { TableName, ConsistentRead: true },
      )) {
        items.push(...Items);
      }
      return items;
    },
    add: async (record: TokenRecord) => {
      const Item = { ...record };
      await dynamodb.send(
        new PutCommand({ TableName, Item, ConditionExpression: 'attribute_not_exists(id)' }),
      );
    },
    /** Makes a token expire at a given time, in seconds since 1970, unless it expires sooner or has been deleted. */
    expireBy: async (id: string, expiresAt: number) => {
      const update = new UpdateCommand({
        TableName,
        Key: { id },
        UpdateExpression: 'SET expiresAt = :t',
        ConditionExpression:
          'attribute_exists(id) AND (attribute_not_exists(expiresAt) OR expiresAt > :t)',
        ExpressionAttributeValues: { ':t': expiresAt },
      });
      await dynamodb.send(update).catch((error) => {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
      });
    },
    remove: async (id: string): Promise<Item | undefined> => {
      const command = new DeleteCommand({ TableName, Key: { id }, ReturnValues: 'ALL_OLD' });
      return (await dynamodb.send(command)).Attributes;
    },
  };
}
