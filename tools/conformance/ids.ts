import { randomInt } from 'node:crypto';
import openapi from '../../openapi.json' with { type: 'json' };

/**
 * The range of ids under which a run may leave plants: the largest int64s, which JavaScript's numbers cannot represent
 * exactly.
 */
export const FIRST_ID = 9_223_372_036_000_000_000n;
export const LAST_ID = 2n ** 63n - 1n;
/**
 * Another id under which a run leaves a plant; in prod, the only one. It is the smallest int64 or, if openapi.json
 * rejects that, the largest.
 */
export const PROD_ID =
  'minimum' in openapi.components.schemas.NewPlant.properties.id ? LAST_ID : -(2n ** 63n);

/** Returns a function that reserves two ids each time. It starts at a random id, so that a run can be repeated. */
export function idPairs(): () => bigint {
  // Keeps the last ids free for the row about the largest int64.
  let id = FIRST_ID + BigInt(randomInt(854_770_000));
  return () => {
    id += 2n;
    return id;
  };
}
