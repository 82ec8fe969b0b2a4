import type { Int64s } from '../../lambda/shared/http/exact-numbers.ts';
import { ContractError } from '../operator/contract.ts';
import { POINTER, type Schema } from './schema.ts';

/**
 * Finds the int64s in a value, to which several schemas can apply.
 *
 * @returns undefined if there are none
 * @throws ContractError if the value is an int64 in one schema, and a different number in another
 */
export function int64sIn(schemas: readonly Schema[]): Int64s | undefined {
  if (schemas.length === 0) return undefined;
  const applied = schemas.flatMap(inPlace);
  const ofType = (...names: string[]) =>
    applied.find(({ types }) => types?.some((type) => names.includes(type)));
  const int64 = ofType('int64');
  const other = ofType('number', 'integer', 'int32');
  if (int64 !== undefined && other !== undefined) {
    const problem = `another schema for this value has the format int64 (${int64[POINTER]}); use int64 in both`;
    throw new ContractError(other[POINTER], problem);
  }

  const names = new Set(applied.flatMap(({ properties = {} }) => Object.keys(properties)));
  const properties = [...names].flatMap((name) => {
    const found = int64sIn(applied.flatMap((schema) => schema.properties?.[name] ?? []));
    return found === undefined ? [] : [[name, found] as const];
  });
  const items = int64sIn(applied.flatMap((schema) => schema.items ?? []));
  const found: Int64s = {
    ...(int64 !== undefined && { int64: true }),
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
