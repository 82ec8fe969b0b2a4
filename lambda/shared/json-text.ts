import { parseInt64 } from './int64.ts';

/** @returns the index of the quote that ends the string that starts at `start`, or an index after the text */
function endOfString(json: string, start: number): number {
  let at = start + 1;
  while (json[at] !== '"' && json[at] !== undefined) at += json[at] === '\\' ? 2 : 1;
  return at;
}

/** @returns the characters of a JSON text that are not between the quotes of a string */
export function structureLength(json: string): number {
  let length = 0;
  let at = 0;
  for (let quote = json.indexOf('"'); quote !== -1; quote = json.indexOf('"', at)) {
    length += quote + 2 - at;
    at = endOfString(json, quote) + 1;
  }
  return length + json.length - at;
}

/** Where a JSON value has int64s. The numbers are indexes of other nodes. */
export interface Int64Node {
  readonly int64?: boolean;
  readonly properties?: Readonly<Record<string, number>>;
  /** The node of all other properties. */
  readonly rest?: number;
  readonly prefixItems?: readonly number[];
  /** The node of all other items. */
  readonly items?: number;
}

/** An object or array that is being read, and the current key in it: undefined until the key is read. */
interface Container {
  readonly values: Record<string, unknown>;
  readonly node: Int64Node;
  key: string | number | undefined;
}

const NUMBER = /-?\d[\d.eE+-]*/y;

/**
 * Replaces each int64 with a bigint, where a node expects one. JSON.parse has rounded it, so its digits are read from
 * the text. A number that is not an int64 stays as it is.
 *
 * @param json valid JSON, from which `parsed.body` was parsed
 * @param nodes the first is the node of the body itself
 */
export function restoreInt64s(json: string, parsed: object, nodes: readonly Int64Node[]): void {
  const outer: Container[] = [];
  let current: Container = { values: Object(parsed), node: { properties: { body: 0 } }, key: 'body' };
  // How many objects and arrays without int64s are open.
  let skipped = 0;
  // Stryker disable next-line EqualityOperator: there is no character at json.length.
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (character === '"') {
      const end = endOfString(json, at);
      current.key ??= JSON.parse(json.slice(at, end + 1));
      at = end;
    } else if (character === '{' || character === '[') {
      // Stryker disable next-line ConditionalExpression: if a key is repeated, its last value sets again what its earlier values set.
      const next = skipped === 0 ? enter(current, character, nodes) : undefined;
      if (next === undefined) skipped += 1;
      else {
        outer.push(current);
        current = next;
      }
    } else if (character === '}' || character === ']') {
      if (skipped > 0) skipped -= 1;
      else current = outer.pop() ?? current;
    } else if (skipped === 0) {
      NUMBER.lastIndex = at;
      if (character === ',') current.key = typeof current.key === 'number' ? current.key + 1 : undefined;
      else at += restoreInt64(current, NUMBER.exec(json)?.[0], nodes);
    }
  }
}

function enter({ values, node, key }: Container, bracket: string, nodes: readonly Int64Node[]) {
  const next = nodeOf(node, key, nodes);
  // JSON.parse keeps the last of duplicate keys, whose value may have another type.
  const value = values[String(key)];
  if (next === undefined || Array.isArray(value) !== (bracket === '[')) return undefined;
  return { values: Object(value), node: next, key: bracket === '[' ? 0 : undefined };
}

/** @returns how many characters to skip */
function restoreInt64(
  { values, node, key }: Container,
  digits: string | undefined,
  nodes: readonly Int64Node[],
): number {
  if (digits === undefined) return 0;
  // An earlier duplicate of the key may have left a bigint.
  if (nodeOf(node, key, nodes)?.int64 && /number|bigint/.test(typeof values[String(key)])) {
    values[String(key)] = parseInt64(digits) ?? Number(digits);
  }
  return digits.length - 1;
}

function nodeOf(
  { properties = {}, rest, prefixItems, items }: Int64Node,
  key: string | number | undefined,
  nodes: readonly Int64Node[],
) {
  if (typeof key === 'number') return nodes[prefixItems?.[key] ?? items ?? -1];
  const name = String(key);
  // Every object inherits properties such as `toString`.
  return nodes[(Object.hasOwn(properties, name) ? properties[name] : rest) ?? -1];
}
