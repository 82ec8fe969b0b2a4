import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  PutCommand,
  paginateScan,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { isTokenRecord, type TokenRecord } from '../../lambda/shared/tokens/access-token.ts';
import { NOT_FROM_AWS, OperatorError } from './errors.ts';

/** An item of the table, which may be malformed. */
export type Item = Readonly<Record<string, unknown>>;

/** The records of the access tokens. */
export interface TokenStore {
  /** Skips malformed items, with one warning. */
  all(): Promise<TokenRecord[]>;
  add(record: TokenRecord): Promise<void>;
  /** Makes a token expire at a time in seconds since 1970, unless it expires sooner or has been deleted. */
  expireBy(id: string, expiresAt: number): Promise<void>;
  /** @returns the removed item, or undefined if there was none */
  remove(id: string): Promise<Item | undefined>;
}

const SKIPPED = 'skipped items of the tokens table that are not token records; delete them there';

export type Warn = (message: string) => void;

/**
 * Returns the token records of a DynamoDB table. Its methods throw an OperatorError if a response is not from AWS.
 */
export function tokenStore(
  client: DynamoDBDocumentClient,
  tableName: string,
  warn: Warn = console.warn,
): TokenStore {
  const TableName = tableName;
  // The SDK reads the empty response of a proxy as a success, which only lacks the id that each response of AWS has.
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      if (result.output.$metadata.requestId === undefined) throw new OperatorError(NOT_FROM_AWS);
      return result;
    },
    { name: 'fromAws', override: true },
  );
  return {
    all: async () => {
      const items: Item[] = [];
      for await (const { Items = [] } of paginateScan({ client }, { TableName, ConsistentRead: true })) {
        items.push(...Items);
      }
      const malformed = items.filter((item) => !isTokenRecord(item)).map(({ id }) => JSON.stringify(id));
      if (malformed.length > 0) warn(`${SKIPPED}: ${malformed.join(', ')}`);
      return items.filter(isTokenRecord);
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
      const command = new DeleteCommand({ TableName, Key: { id }, ReturnValues: 'ALL_OLD' });
      return (await client.send(command)).Attributes;
    },
  };
}
