import type { Int64s } from '../../lambda/shared/http/restore-int64s.ts';
import { ContractError } from '../contract/contract.ts';
import { POINTER, type Schema } from './read-schema.ts';

/**
 * Finds the int64s in a value, to which several schemas can apply. The schema
 * `{ properties: { id: { format: 'int64' } } }` becomes `{ properties: { id: { int64: true } } }`.
 *
 * @returns undefined if there are none
 * @throws ContractError if a schema under `anyOf` or `oneOf` has an int64, because it may not apply to the value
 */
export function findInt64s(schemas: readonly Schema[]): Int64s | undefined {
  if (schemas.length === 0) return undefined;
  const applied = schemas.flatMap(withAllOf);
  const names = new Set(applied.flatMap(({ properties = {} }) => Object.keys(properties)));
  const properties = [...names].flatMap((name) => {
    const found = findInt64s(applied.flatMap((schema) => schema.properties?.[name] ?? []));
    return found === undefined ? [] : [[name, found] as const];
  });
  const items = findInt64s(applied.flatMap((schema) => schema.items ?? []));
  const unsure = applied.find(({ anyOf = [], oneOf = [] }) =>
    [...anyOf, ...oneOf].some((schema) => findInt64s([schema]) !== undefined),
  );
  if (unsure !== undefined) {
    const problem =
      'an int64 under anyOf or oneOf is not supported; describe it beside the list, or make its type ["integer", "null"]';
    throw new ContractError(unsure[POINTER], problem);
  }
  const found: Int64s = {
    ...(applied.some(({ format }) => format === 'int64') ? { int64: true } : {}),
    ...(properties.length > 0 ? { properties: Object.fromEntries(properties) } : {}),
    ...(items === undefined ? {} : { items }),
  };
  return Object.keys(found).length === 0 ? undefined : found;
}

/** Returns a schema and, recursively, those in its `allOf`. */
function withAllOf(schema: Schema): Schema[] {
  return [schema, ...(schema.allOf ?? []).flatMap(withAllOf)];
}
