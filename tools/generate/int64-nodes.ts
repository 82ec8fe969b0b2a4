import type { Int64Node } from '../../lambda/shared/http/json-text.ts';
import type { Schema } from './schema.ts';

/**
 * Finds the int64s in a body. Several schemas can apply to one value.
 *
 * @returns nodes, of which the first one is for the body itself; none if the body has no int64
 */
export function int64Nodes(body: Schema): Int64Node[] {
  const nodes: Int64Node[] = [];

  /** @returns the index of the new node, or undefined if there is no int64 in the value */
  function add(schemas: readonly Schema[]): number | undefined {
    const index = nodes.push({}) - 1;
    const applied = schemas.flatMap(inPlace);
    const others = applied.flatMap(({ additionalProperties: each }) =>
      typeof each === 'object' ? each : [],
    );
    const names = new Set(applied.flatMap(({ properties = {} }) => Object.keys(properties)));
    const rest = addIfAny(others);
    const properties = [...names].flatMap((name) => {
      const node = add(
        applied.flatMap(({ properties = {}, additionalProperties: rest }) =>
          Object.hasOwn(properties, name) ? (properties[name] ?? []) : typeof rest === 'object' ? rest : [],
        ),
      );
      // A property without int64s is listed only if `rest` has some. There is no node with the index -1.
      return node === undefined && rest === undefined ? [] : [[name, node ?? -1] as const];
    });
    const items = addIfAny(applied.flatMap((each) => each.items ?? []));
    const node = {
      ...(applied.some(({ types = [] }) => types.includes('int64')) && { int64: true }),
      ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
      ...(rest !== undefined && { rest }),
      ...(items !== undefined && { items }),
    };
    nodes[index] = node;
    if (Object.keys(node).length > 0) return index;
    nodes.pop();
    return undefined;
  }
  const addIfAny = (schemas: readonly Schema[]) => (schemas.length === 0 ? undefined : add(schemas));

  add([body]);
  return nodes;
}

/** Returns the schema, and those under it that apply to the same value. */
function inPlace(schema: Schema): Schema[] {
  const { allOf = [], anyOf = [], oneOf = [] } = schema;
  return [schema, ...[...allOf, ...anyOf, ...oneOf].flatMap(inPlace)];
}
