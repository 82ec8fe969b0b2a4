import { OperationError, operationErrors } from '../errors.ts';
import { MAX_INT64, MIN_INT64, parseInt64 } from './int64.ts';

/** Where a JSON value contains int64s. */
export interface Int64s {
  /** Whether the value itself should be an int64. */
  readonly int64?: boolean;
  readonly properties?: Readonly<Record<string, Int64s>>;
  readonly items?: Int64s;
}

/** A JSON value. An array counts as an object whose keys are its indexes. */
type Value = string | number | bigint | boolean | null | { [key: string]: Value };
/** A value in which the JSON text of each number, such as `9007199254740993`, replaces the number. */
type Source = string | { readonly [key: string]: Source };

/**
 * Replaces each number that should be an int64 with a bigint. JSON.parse may have rounded the number, so its digits are
 * read from the JSON text (docs/decisions.md#exact-numbers).
 *
 * @param json the JSON text that `value` was parsed from
 * @returns a bigint if `value` should be an int64, or the same value, in which int64s are replaced
 * @throws OperationError 1002 if the digits of such a number show that it is not an int64
 */
export function restoreInt64s(json: string, value: Value, int64s: Int64s): Value {
  const source: Source = JSON.parse(
    json,
    (_key, member, context?: { source?: string }) => context?.source ?? member,
  );
  return restoreValue(value, source, int64s, []);
}

/** @param source has the same objects and arrays as the value, because it was parsed from the same text */
function restoreValue(
  value: Value,
  source: Source | undefined,
  { int64, properties = {}, items }: Int64s,
  path: readonly string[],
): Value {
  if (int64 && typeof value === 'number') return requireInt64(String(source), path);
  if (typeof value !== 'object' || value === null || typeof source !== 'object') return value;
  for (const [key, member] of Object.entries(value)) {
    // What `properties` inherits, such as `toString`, contains no int64s.
    const memberInt64s = Array.isArray(value) ? items : properties[key];
    if (memberInt64s !== undefined)
      value[key] = restoreValue(member, source[key], memberInt64s, [...path, key]);
  }
  return value;
}

function requireInt64(digits: string, path: readonly string[]): bigint {
  const value = parseInt64(digits);
  if (value !== undefined) return value;
  const field = path.join('.') || 'the body';
  const detail = `${field} must be an integer from ${MIN_INT64} to ${MAX_INT64}`;
  throw new OperationError(operationErrors.invalidBody, { detail });
}
