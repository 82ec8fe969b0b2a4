import { createHash } from 'node:crypto';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { components } from '../generated/openapi.ts';
import { withTimeout } from '../shared/dynamodb/client.ts';
import { isItemTooLarge } from '../shared/dynamodb/item-size.ts';
import { OperationError, operationErrors } from '../shared/errors.ts';

export type NewOrder = components['schemas']['NewOrder'];

/**
 * Stores an order in a DynamoDB table.
 *
 * @throws OperationError 1003 if the order is too large, 1007 if another order has the id, 1500 if DynamoDB failed
 */
export const ordersTable =
  (dynamodb: DynamoDBDocumentClient, TableName: string) =>
  async ({ id, status, address, items }: NewOrder): Promise<'created'> => {
    const order = { id, status, address, items };
    // A condition compares hashes, because the embedded DynamoDB cannot compare lists and maps.
    const hash = createHash('sha256').update(jsonWithSortedKeys(order)).digest('hex');
    const command = new PutCommand({
      TableName,
      Item: { ...order, hash },
      // Also true for the same order, so that a retry succeeds.
      ConditionExpression: 'attribute_not_exists(id) OR #hash = :hash',
      ExpressionAttributeNames: { '#hash': 'hash' },
      ExpressionAttributeValues: { ':hash': hash },
    });
    await withTimeout((options) => dynamodb.send(command, options)).catch((cause) => {
      const { orderExists, tooLarge, dynamodbFailed } = operationErrors;
      if (cause instanceof ConditionalCheckFailedException) throw new OperationError(orderExists);
      throw new OperationError(isItemTooLarge(cause) ? tooLarge : dynamodbFailed, { cause });
    });
    return 'created';
  };

/** A retry may have the same keys in another order. A bigint keeps all its digits. */
function jsonWithSortedKeys(order: NewOrder): string {
  return JSON.stringify(order, (_key, value) => {
    if (typeof value === 'bigint') return JSON.rawJSON(`${value}`);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const keys = Object.keys(value).sort();
    return Object.fromEntries(keys.map((key) => [key, value[key]]));
  });
}
