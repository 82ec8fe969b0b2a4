import { parseInt64 } from './int64.ts';

/** Where a JSON value contains int64s. */
export interface Int64s {
  /** Whether the value itself should be an int64. */
  readonly int64?: boolean;
  readonly properties?: Readonly<Record<string, Int64s>>;
  /** All other properties. */
  readonly rest?: Int64s;
  readonly items?: Int64s;
}

/**
 * Replaces each number that should be an int64 with a bigint. JSON.parse may have rounded the number, so its digits are
 * read from the JSON text (docs/decisions.md#exact-numbers). A number that is not an int64 stays as it is.
 *
 * @param json the JSON text that `parsed.body` was parsed from
 */
export function restoreInt64s(json: string, parsed: object, int64s: Int64s): void {
  // Has the same shape as the body, but with the digits of each number instead of the number.
  const body = JSON.parse(json, (_key, value, context?: { source?: string }) => context?.source ?? value);
  restoreWithin(Object(parsed), { body }, { properties: { body: int64s } });
}

function restoreWithin(
  values: Record<string, unknown>,
  digits: Readonly<Record<string, unknown>>,
  { properties = {}, rest, items }: Int64s,
): void {
  for (const [key, value] of Object.entries(values)) {
    // Every object inherits properties such as `toString`.
    const property = Object.hasOwn(properties, key) ? properties[key] : rest;
    const int64s = Array.isArray(values) ? items : property;
    if (int64s === undefined) continue;
    if (typeof value === 'object' && value !== null)
      restoreWithin(Object(value), Object(digits[key]), int64s);
    if (typeof value === 'number' && int64s.int64) values[key] = parseInt64(String(digits[key])) ?? value;
  }
}
