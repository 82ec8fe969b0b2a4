import type { components } from '../generated/openapi.ts';
import { OperationError, operationErrors } from '../shared/errors.ts';
import { parseInt64 } from '../shared/http/int64.ts';

type Plant = components['schemas']['Plant'];

/** Returns undefined if no plant has the id. @throws OperationError 1500 if DynamoDB fails */
export type FindPlant = (id: bigint, consistent: boolean) => Promise<Plant | undefined>;

/**
 * Gets a plant.
 *
 * @throws OperationError 1005 if no plant has the id, 1006 if `consistent` is invalid, 1500 if DynamoDB fails
 */
export async function getPlant(
  id: string,
  consistent: string | undefined,
  find: FindPlant,
): Promise<Plant> {
  const { noSuchPlant, invalidQuery } = operationErrors;
  const exactId = parseInt64(id);
  // parseInt64 also accepts other spellings, such as 01 and 1.0. A plant has only one path.
  if (exactId === undefined || `${exactId}` !== id) throw new OperationError(noSuchPlant);
  if (!['true', 'false', undefined].includes(consistent)) throw new OperationError(invalidQuery);
  const plant = await find(exactId, consistent !== 'false');
  if (plant === undefined) throw new OperationError(noSuchPlant);
  return plant;
}
