import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import type { components } from '../generated/openapi.ts';
import { withTimeout } from '../shared/dynamodb/client.ts';
import { OperationError, operationErrors } from '../shared/errors.ts';
import { parseInt64 } from '../shared/http/int64.ts';

/**
 * Gets a plant from a table.
 *
 * @throws OperationError 1005 if no plant has the id, 1006 if `consistent` is invalid, 1500 if DynamoDB failed
 */
export const plantGetter =
  (dynamodb: DynamoDBDocumentClient, TableName: string) =>
  async (id: string, consistent = 'true'): Promise<components['schemas']['Plant']> => {
    const { noSuchPlant, invalidQuery, dynamodbFailed } = operationErrors;
    const exactId = parseInt64(id);
    // parseInt64 also accepts other spellings, such as 01 and 1.0. A plant has only one path.
    if (`${exactId}` !== id) throw new OperationError(noSuchPlant);
    if (!/^(true|false)$/.test(consistent)) throw new OperationError(invalidQuery);
    const command = new GetCommand({
      TableName,
      Key: { id: exactId },
      ConsistentRead: consistent === 'true',
    });
    const { Item } = await withTimeout((options) => dynamodb.send(command, options)).catch(
      (cause) => {
        throw new OperationError(dynamodbFailed, { cause });
      },
    );
    if (Item === undefined) throw new OperationError(noSuchPlant);
    return { name: Item.name, tag: Item.tag };
  };
