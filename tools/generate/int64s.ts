import { isDeepStrictEqual } from 'node:util';
import type { Int64s } from '../../lambda/shared/http/restore-int64s.ts';
import { ContractError } from '../contract/contract.ts';
import { POINTER, type Schema } from './schema.ts';

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/**
 * Finds the int64s in a value, to which several schemas can apply. The schema
 * `{ properties: { id: { format: 'int64' } } }` becomes `{ properties: { id: { int64: true } } }`.
 *
 * @returns undefined if there are none
 * @throws ContractError if schemas under `anyOf` or `oneOf` have different int64s
 */
export function int64sIn(schemas: readonly Schema[]): Int64s | undefined {
  if (schemas.length === 0) return undefined;
  const applied = schemas.flatMap(inPlace);
  const names = new Set(applied.flatMap(({ properties = {} }) => Object.keys(properties)));
  const properties = [...names].flatMap((name) => {
    const found = int64sIn(applied.flatMap((schema) => schema.properties?.[name] ?? []));
    return found === undefined ? [] : [[name, found] as const];
  });
  const items = int64sIn(applied.flatMap((schema) => schema.items ?? []));
  for (const { anyOf = [], oneOf = [] } of applied) {
    assertSameInt64s(anyOf);
    assertSameInt64s(oneOf);
  }
  const found: Writable<Int64s> = {};
  if (applied.some(({ format }) => format === 'int64')) found.int64 = true;
  if (properties.length > 0) found.properties = Object.fromEntries(properties);
  if (items !== undefined) found.items = items;
  return Object.keys(found).length === 0 ? undefined : found;
}

/** Returns a schema, and the schemas in it that apply to the same value. */
function inPlace(schema: Schema): Schema[] {
  const { allOf = [], anyOf = [], oneOf = [] } = schema;
  return [schema, ...[...allOf, ...anyOf, ...oneOf].flatMap(inPlace)];
}

/** A number that is an int64 in one of these schemas is read as one, even if the value matches another of them. */
function assertSameInt64s(schemas: readonly Schema[]): void {
  const all = int64sIn(schemas);
  const different = schemas.find(
    (schema) => !isDeepStrictEqual(int64sIn([schema]) ?? {}, possibleIn(schema, all)),
  );
  if (different === undefined) return;
  const problem =
    'lacks int64s of the other schemas in this list; add them here, set a type that excludes them, or describe them beside the list';
  throw new ContractError(different[POINTER], problem);
}

/** Returns the int64s that a value of the schema's type can contain. */
function possibleIn({ type }: Schema, { int64, properties, items }: Int64s = {}): Int64s {
  const isPossible = (...types: readonly string[]) =>
    type === undefined || [type].flat().some((each) => types.includes(String(each)));
  return {
    ...(int64 && isPossible('integer', 'number') && { int64 }),
    ...(properties && isPossible('object') && { properties }),
    ...(items && isPossible('array') && { items }),
  };
}
