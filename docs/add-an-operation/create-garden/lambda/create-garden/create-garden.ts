import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { components } from '../generated/openapi.ts';
import { isItemTooLarge, withTimeout } from '../shared/dynamodb/client.ts';
import { OperationError, operationErrors } from '../shared/errors.ts';

export type NewGarden = components['schemas']['NewGarden'];

/**
 * Stores a garden in a DynamoDB table.
 *
 * @throws OperationError 1003 if the garden is too large, 1006 if another garden has the id, 1500 if DynamoDB failed
 */
export const gardensTable =
  (dynamodb: DynamoDBDocumentClient, TableName: string) =>
  async ({ id, name }: NewGarden): Promise<'created'> => {
    const command = new PutCommand({
      TableName,
      Item: { id, name },
      // Also true for the same garden, so that a retry succeeds.
      ConditionExpression: 'attribute_not_exists(id) OR #name = :name',
      ExpressionAttributeNames: { '#name': 'name' },
      ExpressionAttributeValues: { ':name': name },
    });
    await withTimeout((options) => dynamodb.send(command, options)).catch((cause) => {
      const { gardenExists, tooLarge, dynamodbFailed } = operationErrors;
      if (cause instanceof ConditionalCheckFailedException) throw new OperationError(gardenExists);
      throw new OperationError(isItemTooLarge(cause) ? tooLarge : dynamodbFailed, { cause });
    });
    return 'created';
  };
