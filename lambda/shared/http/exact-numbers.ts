import { parseInt64 } from './int64.ts';

/** Where a JSON value contains int64s. */
export interface Int64s {
  /** Whether the value itself should be an int64. */
  readonly int64?: boolean;
  readonly properties?: Readonly<Record<string, Int64s>>;
  readonly items?: Int64s;
}

type Value = string | number | bigint | boolean | null | { [key: string]: Value };
/** A value in which the JSON text of each number, such as `9007199254740993`, replaces the number. */
type Source = string | { readonly [key: string]: Source };

/**
 * Replaces each number that should be an int64 with a bigint. JSON.parse may have rounded the number, so its digits are
 * read from the JSON text (docs/decisions.md#exact-numbers). A number that is not an int64 stays as it is.
 *
 * @param json the JSON text that `event.body` was parsed from
 */
export function restoreInt64s(json: string, event: { body: Value }, int64s: Int64s): void {
  const body: Source = JSON.parse(
    json,
    (_key, value, context?: { source?: string }) => context?.source ?? value,
  );
  // Starts at the event, in which a body that is itself an int64 can be replaced.
  restoreWithin(event, { body }, { properties: { body: int64s } });
}

function restoreWithin(
  values: Value,
  source: Source | undefined,
  { properties = {}, items }: Int64s,
): void {
  if (typeof values !== 'object' || values === null || typeof source !== 'object') return;
  for (const [key, value] of Object.entries(values)) {
    // An inherited property, such as `toString`, is none of an Int64s.
    const int64s = Array.isArray(values) ? items : properties[key];
    if (int64s === undefined) continue;
    restoreWithin(value, source[key], int64s);
    if (typeof value === 'number' && int64s.int64)
      values[key] = parseInt64(`${source[key]}`) ?? value;
  }
}
