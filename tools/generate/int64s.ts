import { isDeepStrictEqual } from 'node:util';
import type { Int64s } from '../../lambda/shared/http/exact-numbers.ts';
import { ContractError, type Json } from '../contract/contract.ts';
import { POINTER, type Schema } from './schema.ts';

const WITHOUT_NUMBERS: readonly Json[] = ['null', 'string', 'boolean'];

/**
 * Finds the int64s in a value, to which several schemas can apply.
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
  const found: Int64s = {
    ...(applied.some(({ format }) => format === 'int64') && { int64: true }),
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
    ...(items !== undefined && { items }),
  };
  return Object.keys(found).length === 0 ? undefined : found;
}

/** Returns a schema, and the schemas in it that apply to the same value. */
function inPlace(schema: Schema): Schema[] {
  const { allOf = [], anyOf = [], oneOf = [] } = schema;
  return [schema, ...[...allOf, ...anyOf, ...oneOf].flatMap(inPlace)];
}

/** A number that is an int64 in one of these schemas is read as one, even if the value matches another of them. */
function assertSameInt64s(schemas: readonly Schema[]): void {
  const others = schemas.filter(
    ({ type = 'object' }) => ![type].flat().every((each) => WITHOUT_NUMBERS.includes(each)),
  );
  const all = int64sIn(others);
  const different = others.find((schema) => !isDeepStrictEqual(int64sIn([schema]), all));
  if (different === undefined) return;
  const problem =
    'lacks int64s of the other schemas in this list; add them here, set a type without numbers, or describe them beside the list';
  throw new ContractError(different[POINTER], problem);
}
