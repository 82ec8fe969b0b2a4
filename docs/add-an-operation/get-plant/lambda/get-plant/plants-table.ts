import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { withTimeout } from '../shared/dynamodb/client.ts';
import { OperationError, operationErrors } from '../shared/errors.ts';
import type { FindPlant } from './get-plant.ts';

/** Finds plants in a DynamoDB table. */
export const findPlantIn =
  (dynamodb: DynamoDBDocumentClient, TableName: string): FindPlant =>
  async (id, ConsistentRead) => {
    const command = new GetCommand({ TableName, Key: { id }, ConsistentRead });
    const { Item } = await withTimeout((options) => dynamodb.send(command, options)).catch(
      (cause) => {
        throw new OperationError(operationErrors.dynamodbFailed, { cause });
      },
    );
    return Item && { name: Item.name, tag: Item.tag };
  };
