import { randomInt } from 'node:crypto';
import validate from '../../lambda/generated/validate-create-plant-event.js';

/**
 * The range of ids under which a run may leave plants: the largest int64s, which JavaScript's numbers cannot represent
 * exactly.
 */
export const FIRST_ID = 9_223_372_036_000_000_000n;
export const LAST_ID = 2n ** 63n - 1n;

/** Returns the largest and the smallest int64, each only if a validator accepts it as an id. */
export function endsOf(isValid: (event: { body: { id: bigint; name: string } }) => boolean): bigint[] {
  return [LAST_ID, -(2n ** 63n)].filter((id) => isValid({ body: { id, name: 'conformance' } }));
}

export const ENDS = endsOf((event) => validate(event));
/**
 * Another id under which a run leaves a plant; in prod, the only one. It is the smallest int64 or, if openapi.json
 * rejects that, the largest.
 */
export const PROD_ID = ENDS.at(-1) ?? LAST_ID;

/** Returns a function that reserves two ids each time. It starts at a random id, so that a run can be repeated. */
export function idPairs(): () => bigint {
  // Keeps the last ids free for the row about the largest int64.
  let id = FIRST_ID + BigInt(randomInt(854_770_000));
  return () => {
    id += 2n;
    return id;
  };
}
