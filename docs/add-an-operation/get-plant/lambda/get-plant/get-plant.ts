import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import type { components } from '../generated/openapi.ts';
import { withTimeout } from '../shared/dynamodb/client.ts';
import { OperationError, operationErrors } from '../shared/errors.ts';
import { parseInt64 } from '../shared/http/int64.ts';

/** Gets a plant from a table. @throws OperationError 1005 if no plant has the id, 1500 if DynamoDB failed */
export const plantGetter =
  (dynamodb: DynamoDBDocumentClient, TableName: string) =>
  async (id: string): Promise<components['schemas']['Plant']> => {
    const exactId = parseInt64(id);
    if (exactId === undefined) throw new OperationError(operationErrors.noSuchPlant);
    const command = new GetCommand({ TableName, Key: { id: exactId }, ConsistentRead: true });
    const { Item } = await withTimeout((options) => dynamodb.send(command, options)).catch((cause) => {
      throw new OperationError(operationErrors.dynamodbFailed, { cause });
    });
    if (Item === undefined) throw new OperationError(operationErrors.noSuchPlant);
    return { name: Item.name, tag: Item.tag };
  };
