/** createPlant written by hand on client-dynamodb alone, and bundled as ours is. */
import { ConditionalCheckFailedException, PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { PutPlant } from '../../lambda/create-plant/create-plant.ts';
import { withinDeadline } from '../../lambda/shared/dynamodb.ts';
import { OperationError, operationErrors } from '../../lambda/shared/errors.ts';
import { requiredEnv } from '../../lambda/shared/env.ts';
import { lowLevelClient } from './low-level-client.ts';
import { plainHandler } from './plain-create-plant.ts';
import { putItem } from './put-item.ts';

const client = lowLevelClient();
const tableName = requiredEnv('PLANTS_TABLE');

const put: PutPlant = async (plant) => {
  const command = new PutItemCommand(putItem(tableName, plant));
  try {
    const { Attributes } = await withinDeadline((options) => client.send(command, options));
    return Attributes === undefined ? 'created' : 'duplicate';
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return 'conflict';
    throw new OperationError(operationErrors.dynamodbFailed, { cause: error });
  }
};

export const handler = plainHandler(put);
