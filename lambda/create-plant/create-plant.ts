import type { components } from '../generated/openapi.ts';
import { OperationError, operationErrors } from '../shared/errors.ts';

export type NewPlant = components['schemas']['NewPlant'];
export type Plant = components['schemas']['Plant'];

type Success = 'created' | 'duplicate';

/**
 * Puts a plant into the table, unless a different plant has the same id.
 *
 * @throws OperationError 1500 if DynamoDB fails; the plant may have been stored anyway
 */
export type PutPlant = (plant: NewPlant) => Promise<Success | 'conflict' | 'tooLarge'>;

/**
 * Creates a plant. The client chooses the id, so a second request with the same plant is a retry and succeeds.
 *
 * @returns the plant as the API returns it, without its id, and whether it was new
 * @throws OperationError if the plant is rejected or DynamoDB fails
 */
export async function createPlant(
  { id, name, tag }: NewPlant,
  put: PutPlant,
): Promise<{ plant: Plant; outcome: Success }> {
  const plant: Plant = tag === undefined ? { name } : { name, tag };
  const outcome = await put({ id, ...plant });
  if (outcome === 'conflict' || outcome === 'tooLarge')
    throw new OperationError(operationErrors[outcome]);
  return { plant, outcome };
}
