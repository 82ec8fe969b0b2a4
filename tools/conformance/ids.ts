import { randomInt } from 'node:crypto';
import validate from '../../lambda/generated/validate-create-plant-event.js';

/**
 * The range of ids of the plants that a run may leave behind: the largest int64 values, which a JavaScript number
 * cannot represent exactly.
 */
export const FIRST_ID = 9_223_372_036_000_000_000n;
export const LAST_ID = 2n ** 63n - 1n;

/** Returns the largest and the smallest int64, each only if a validator accepts it as an id. */
export function endsOf(isValid: (event: { body: { id: bigint; name: string } }) => boolean): bigint[] {
  return [LAST_ID, -(2n ** 63n)].filter((id) => isValid({ body: { id, name: 'conformance' } }));
}

export const ENDS = endsOf((event) => validate(event));
/**
 * The id of one more plant that a run leaves behind; in prod, a run leaves behind only this plant. The id is the
 * smallest int64 or, if openapi.json rejects that id, the largest.
 */
export const PROD_ID = ENDS.at(-1) ?? LAST_ID;

/** Returns a function that reserves two ids per call. The first id is random, so that a run can be repeated. */
export function idPairs(): () => bigint {
  // Never reaches the largest int64, which another row uses.
  let id = FIRST_ID + BigInt(randomInt(854_770_000));
  return () => {
    id += 2n;
    return id;
  };
}
