import type { PutPlant } from '../../lambda/create-plant/create-plant.ts';
import { OperationError, operationErrors } from '../../lambda/shared/errors.ts';
import { requiredEnv } from '../../lambda/shared/required-env.ts';
import { dynamodb } from './dynamodb-by-hand.ts';
import { plainHandler } from './plain-create-plant.ts';
import { putItem } from './put-item.ts';

const tableName = requiredEnv('PLANTS_TABLE');

const put: PutPlant = async (plant) => {
  const { status, body } = await dynamodb('PutItem', putItem(tableName, plant)).catch((cause) => {
    throw new OperationError(operationErrors.storeFailed, { cause });
  });
  if (status === 200) return body.Attributes === undefined ? 'created' : 'repeated';
  if (String(body.__type).endsWith('ConditionalCheckFailedException')) return 'idTaken';
  throw new OperationError(operationErrors.storeFailed);
};

export const handler = plainHandler(put);
