import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { isItemTooLarge, withTimeout } from '../shared/dynamodb.ts';
import { OperationError, operationErrors } from '../shared/errors.ts';
import { itemBytesWithoutNumbers, MAX_ITEM_BYTES } from '../shared/item-size.ts';
import type { NewPlant, PutPlant } from './create-plant.ts';

/** The plants in a DynamoDB table. An item has `id` (N), `name` (S) and, optionally, `tag` (S). */
export const plantsTable =
  (dynamodb: DynamoDBDocumentClient, tableName: string): PutPlant =>
  async (plant) => {
    // Avoids sending an item that DynamoDB would reject. Only DynamoDB knows the size of the id, a few bytes.
    if (itemBytesWithoutNumbers(plant) > MAX_ITEM_BYTES) return 'tooLarge';
    try {
      const command = new PutCommand({
        TableName: tableName,
        Item: plant,
        ...unlessAnotherPlantHas(plant),
        ReturnValues: 'ALL_OLD',
      });
      const { Attributes: previous } = await withTimeout((options) => dynamodb.send(command, options));
      return previous === undefined ? 'created' : 'duplicate';
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return 'conflict';
      if (isItemTooLarge(error)) return 'tooLarge';
      throw new OperationError(operationErrors.dynamodbFailed, { cause: error });
    }
  };

/**
 * A condition that is true if the id is free or the same plant has it. A single write decides, and if its response
 * is lost, the SDK's retry finds its own plant and succeeds.
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
