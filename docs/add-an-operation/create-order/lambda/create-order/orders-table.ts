import { createHash } from 'node:crypto';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { withTimeout } from '../shared/dynamodb/client.ts';
import { isItemTooLarge } from '../shared/dynamodb/item-size.ts';
import { OperationError, operationErrors } from '../shared/errors.ts';
import type { NewOrder, PutOrder } from './create-order.ts';

/** Stores orders in a DynamoDB table. An item has the order's fields, and `hash` (S). */
export const putOrderIn =
  (dynamodb: DynamoDBDocumentClient, TableName: string): PutOrder =>
  async (order) => {
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
    try {
      await withTimeout((options) => dynamodb.send(command, options));
      return 'created';
    } catch (cause) {
      if (cause instanceof ConditionalCheckFailedException) return 'orderExists';
      if (isItemTooLarge(cause)) return 'tooLarge';
      throw new OperationError(operationErrors.dynamodbFailed, { cause });
    }
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
