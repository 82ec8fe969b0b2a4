import { randomInt } from 'node:crypto';
import openapi from '../../openapi.json' with { type: 'json' };

/** The ids under which a run may leave plants: the top of int64, where JavaScript's numbers are not exact. */
export const FIRST_ID = 9_223_372_036_000_000_000n;
export const LAST_ID = 2n ** 63n - 1n;
/** The id under which a run also leaves a plant, the only one in prod: the lowest id, unless openapi.json rejects it. */
export const PROD_ID =
  'minimum' in openapi.components.schemas.NewPlant.properties.id ? LAST_ID : -(2n ** 63n);

/** Returns a function that reserves two ids each time. It starts at a random id, so that a run can be repeated. */
export function idPairs(): () => bigint {
  // The last ids are for the row about the end of the range.
  let id = FIRST_ID + BigInt(randomInt(854_770_000));
  return () => {
    id += 2n;
    return id;
  };
}
