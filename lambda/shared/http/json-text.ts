import { parseInt64 } from './int64.ts';

/** @returns the index of the quote that closes the string at `start`, or an index past the end if there is none */
function endOfString(json: string, start: number): number {
  let at = start + 1;
  while (json[at] !== '"' && json[at] !== undefined) at += json[at] === '\\' ? 2 : 1;
  return at;
}

/** @returns how many characters of a JSON text are outside its strings, including the quotes */
export function structureLength(json: string): number {
  let length = 0;
  let at = 0;
  for (let quote = json.indexOf('"'); quote !== -1; quote = json.indexOf('"', at)) {
    length += quote + 2 - at;
    at = endOfString(json, quote) + 1;
  }
  return length + json.length - at;
}

/** Describes where a JSON value contains int64s. Each number is the index of another node. */
export interface Int64Node {
  readonly int64?: boolean;
  readonly properties?: Readonly<Record<string, number>>;
  /** The node for all other properties. */
  readonly rest?: number;
  /** The node for all items. */
  readonly items?: number;
}

/** An object or array that is being read, and its current key, which is undefined until it has been read. */
interface Container {
  readonly values: Record<string, unknown>;
  readonly node: Int64Node;
  key: string | number | undefined;
}

const NUMBER = /-?\d[\d.eE+-]*/y;

/**
 * Replaces a number with a bigint wherever a node expects an int64. JSON.parse may have rounded the number, so its
 * digits are read from the JSON text. A number that is not an int64 stays as it is.
 *
 * @param json the valid JSON text that `parsed.body` was parsed from
 * @param nodes the first node describes the body itself
 */
export function restoreInt64s(json: string, parsed: object, nodes: readonly Int64Node[]): void {
  const outer: Container[] = [];
  let current: Container = { values: Object(parsed), node: { properties: { body: 0 } }, key: 'body' };
  // The number of open objects and arrays that are skipped because they contain no int64s.
  let skipped = 0;
  // Stryker disable next-line EqualityOperator: there is no character at json.length.
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (character === '"') {
      const end = endOfString(json, at);
      current.key ??= JSON.parse(json.slice(at, end + 1));
      at = end;
    } else if (character === '{' || character === '[') {
      // Stryker disable next-line ConditionalExpression: inside a skipped value, `enter` succeeds only if the key is repeated, and then the last value overwrites what this sets.
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
  // If a key is repeated, JSON.parse keeps its last value, which may have a different type.
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
  // If the key is repeated, an earlier value may already have been replaced with a bigint.
  if (nodeOf(node, key, nodes)?.int64 && /number|bigint/.test(typeof values[String(key)])) {
    values[String(key)] = parseInt64(digits) ?? Number(digits);
  }
  return digits.length - 1;
}

function nodeOf(
  { properties = {}, rest, items }: Int64Node,
  key: string | number | undefined,
  nodes: readonly Int64Node[],
) {
  if (typeof key === 'number') return nodes[items ?? -1];
  const name = String(key);
  // Every object inherits properties such as `toString`.
  return nodes[(Object.hasOwn(properties, name) ? properties[name] : rest) ?? -1];
}
