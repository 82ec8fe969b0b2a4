import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { withTimeout } from '../shared/dynamodb/client.ts';
import {
  isItemTooLarge,
  itemBytesWithoutNumbers,
  MAX_ITEM_BYTES,
} from '../shared/dynamodb/item-size.ts';
import { OperationError, operationErrors } from '../shared/errors.ts';
import type { NewPlant, PutPlant } from './create-plant.ts';

/** Stores plants in a DynamoDB table. An item has the attributes `id` (N), `name` (S) and, optionally, `tag` (S). */
export const putPlantIn =
  (dynamodb: DynamoDBDocumentClient, tableName: string): PutPlant =>
  async (plant) => {
    // Does not send an item that is certainly too large. The id takes a few more bytes, which only DynamoDB can count.
    if (itemBytesWithoutNumbers(plant) > MAX_ITEM_BYTES) return 'tooLarge';
    try {
      const command = new PutCommand({
        TableName: tableName,
        Item: plant,
        ...unlessAnotherPlantHas(plant),
        ReturnValues: 'ALL_OLD',
      });
      const { Attributes: previous } = await withTimeout((options) =>
        dynamodb.send(command, options),
      );
      return previous === undefined ? 'created' : 'duplicate';
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return 'conflict';
      if (isItemTooLarge(error)) return 'tooLarge';
      throw new OperationError(operationErrors.dynamodbFailed, { cause: error });
    }
  };

/**
 * A condition that is true if the id is unused or belongs to the same plant: one write both checks and stores. If the
 * response is lost, the SDK's retry finds the plant that the first attempt stored, and succeeds
 * (docs/decisions.md#the-id-is-the-idempotency-key).
 */
function unlessAnotherPlantHas({ name, tag }: NewPlant) {
  const sameTag =
    tag === undefined
      ? { condition: 'attribute_not_exists(#tag)' }
      : { condition: '#tag = :tag', values: { ':tag': tag } };
  return {
    ConditionExpression: `attribute_not_exists(#id) OR (#name = :name AND ${sameTag.condition})`,
    ExpressionAttributeNames: { '#id': 'id', '#name': 'name', '#tag': 'tag' },
    ExpressionAttributeValues: { ':name': name, ...sameTag.values },
  };
}
