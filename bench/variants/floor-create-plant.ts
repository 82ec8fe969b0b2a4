import type { PutPlant } from '../../lambda/create-plant/create-plant.ts';
import { OperationError, operationErrors } from '../../lambda/shared/errors.ts';
import { requiredEnv } from '../../lambda/shared/env.ts';
import { dynamodb } from './dynamodb-by-hand.ts';
import { plainHandler } from './plain-create-plant.ts';
import { putItem } from './put-item.ts';

const tableName = requiredEnv('PLANTS_TABLE');

const put: PutPlant = async (plant) => {
  const { status, body } = await dynamodb('PutItem', putItem(tableName, plant)).catch((cause) => {
    throw new OperationError(operationErrors.dynamodbFailed, { cause });
  });
  if (status === 200) return body.Attributes === undefined ? 'created' : 'duplicate';
  if (String(body.__type).endsWith('ConditionalCheckFailedException')) return 'conflict';
  throw new OperationError(operationErrors.dynamodbFailed);
};

export const handler = plainHandler(put);
