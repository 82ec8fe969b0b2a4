import { randomInt } from 'node:crypto';
import openapi from '../../openapi.json' with { type: 'json' };

/** The ids under which a run may leave plants: the top of int64, where JavaScript's numbers are not exact. */
export const FIRST_ID = 9_223_372_036_000_000_000n;
export const LAST_ID = 2n ** 63n - 1n;
/** And this one, the only one in prod: the least id, unless openapi.json forbids it. */
export const PROD_ID =
  'minimum' in openapi.components.schemas.NewPlant.properties.id ? LAST_ID : -(2n ** 63n);

/** Returns a function that reserves two ids each time, beginning anywhere in the range, so that a run can be repeated. */
export function idPairs(): () => bigint {
  // The end of the range is left to the row about its last id.
  let id = FIRST_ID + BigInt(randomInt(854_770_000));
  return () => {
    id += 2n;
    return id;
  };
}
