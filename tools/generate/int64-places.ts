import type { Int64Node } from '../../lambda/shared/json-text.ts';
import { BOUNDS, type BodySchema, type Subschema } from './body-schema.ts';
import { below, ContractError, isObject, type Json } from './contract.ts';

/** Where the int64s of a body stand, and which schemas apply to them. */
export interface Int64Places {
  /** A node for each level; the first is that of the body. Empty if the body has no int64. */
  readonly nodes: readonly Int64Node[];
  /** The pointers of the schemas that get a bigint for an exact int64. */
  readonly exact: ReadonlySet<string>;
}

/** A level of the body, with every property and item that a schema describes. */
interface Level {
  int64: boolean;
  readonly properties: Map<string, number>;
  rest: number;
  readonly prefixItems: number[];
  items: number;
}

const NONE = -1;

/** The keywords whose schemas apply to the same value. */
const IN_PLACE = ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas'];

/**
 * Finds the int64s of a body. Several schemas can apply to one value, so a level stands for a set of schemas.
 *
 * @throws ContractError if a number would be compared or stored inexactly
 */
export function int64PlacesOf(body: BodySchema): Int64Places {
  const levels: Level[] = [];
  const indexes = new Map<string, number>();
  const exact = new Set<string>();
  const behindPatterns: { readonly rest: number; readonly pointer: string }[] = [];

  function levelOf(schemas: readonly Subschema[]): number {
    if (schemas.length === 0) return NONE;
    const all = withApplied(body, schemas);
    const id = [...all.keys()].sort().join(' ');
    const known = indexes.get(id);
    if (known !== undefined) return known;
    const level: Level = { int64: false, properties: new Map(), rest: NONE, prefixItems: [], items: NONE };
    const index = levels.push(level) - 1;
    indexes.set(id, index);
    const applied = [...all.values()];
    level.int64 = applied.some(({ rules }) => rules?.format === 'int64');
    if (level.int64) for (const pointer of all.keys()) exact.add(pointer);
    addProperties(level, applied);
    addItems(level, applied);
    return index;
  }

  function addProperties(level: Level, applied: readonly Subschema[]): void {
    const names = applied.flatMap((schema) => [...body.under(schema, 'properties').keys()]);
    for (const name of new Set(names)) {
      level.properties.set(name, levelOf(applied.flatMap((schema) => schemasOfProperty(body, schema, name))));
    }
    const patterns = applied.flatMap((schema) => [...body.under(schema, 'patternProperties').values()]);
    const others = applied.flatMap((schema) => [...body.under(schema, 'additionalProperties').values()]);
    level.rest = levelOf([...patterns, ...others]);
    for (const { pointer } of patterns) behindPatterns.push({ rest: level.rest, pointer });
  }

  function addItems(level: Level, applied: readonly Subschema[]): void {
    const prefixes = applied.map((schema) => [...body.under(schema, 'prefixItems').values()]);
    const others = applied.map((schema) => [...body.under(schema, 'items').values()]);
    const contained = applied.flatMap((schema) => [...body.under(schema, 'contains').values()]);
    const longest = Math.max(...prefixes.map(({ length }) => length));
    for (let at = 0; at < longest; at += 1) {
      const items = prefixes.flatMap((prefix, schema) => prefix[at] ?? others[schema] ?? []);
      level.prefixItems.push(levelOf([...items, ...contained]));
    }
    level.items = levelOf([...others.flat(), ...contained]);
  }

  levelOf([body.root]);
  for (const schema of body.all) checkNumbers(schema, exact.has(schema.pointer));
  const used = leadingToInt64(levels);
  const hidden = behindPatterns.find(({ rest }) => used.has(rest));
  if (hidden !== undefined) {
    throw new ContractError(
      hidden.pointer,
      'int64 is not honoured beside patternProperties; name the properties',
    );
  }
  return { nodes: nodesOf(levels, used), exact };
}

/** Schemas, and all that apply to the same value as one of them, by their pointers. */
function withApplied(body: BodySchema, schemas: readonly Subschema[]): Map<string, Subschema> {
  const applied = new Map<string, Subschema>();
  const add = (schema: Subschema) => {
    if (applied.has(schema.pointer)) return;
    applied.set(schema.pointer, schema);
    for (const keyword of IN_PLACE) for (const each of body.under(schema, keyword).values()) add(each);
  };
  for (const schema of schemas) add(schema);
  return applied;
}

function schemasOfProperty(body: BodySchema, schema: Subschema, name: string): Subschema[] {
  const named = body.under(schema, 'properties').get(name);
  const matching = [...body.under(schema, 'patternProperties')].filter(([pattern]) =>
    new RegExp(pattern, 'u').test(name),
  );
  const found = [...(named === undefined ? [] : [named]), ...matching.map(([, each]) => each)];
  return found.length > 0 ? found : [...body.under(schema, 'additionalProperties').values()];
}

function leadingToInt64(levels: readonly Level[]): Set<number> {
  const used = new Set<number>();
  for (let before = -1; used.size > before; ) {
    before = used.size;
    for (const [index, { int64, properties, rest, prefixItems, items }] of levels.entries()) {
      const next = [...properties.values(), rest, ...prefixItems, items];
      if (int64 || next.some((each) => used.has(each))) used.add(index);
    }
  }
  return used;
}

/** The levels that lead to an int64, numbered anew. */
function nodesOf(levels: readonly Level[], used: ReadonlySet<number>): Int64Node[] {
  const kept = [...used].sort((a, b) => a - b);
  return kept.flatMap((index) => {
    const level = levels[index];
    if (level === undefined) return [];
    const { int64, prefixItems } = level;
    const [rest, items] = [kept.indexOf(level.rest), kept.indexOf(level.items)];
    const properties = [...level.properties]
      .map(([name, each]) => [name, kept.indexOf(each)] as const)
      .filter(([, each]) => each !== NONE || rest !== NONE);
    const prefixed = prefixItems.map((each) => kept.indexOf(each));
    return {
      ...(int64 ? { int64 } : {}),
      ...(properties.length > 0 ? { properties: Object.fromEntries(properties) } : {}),
      ...(rest === NONE ? {} : { rest }),
      ...(prefixed.every((each) => each === items) ? {} : { prefixItems: prefixed }),
      ...(items === NONE ? {} : { items }),
    };
  });
}

/** @throws ContractError if a number of the schema cannot be compared exactly */
function checkNumbers({ rules, pointer }: Subschema, exact: boolean): void {
  for (const keyword of [...BOUNDS, 'const', 'enum']) {
    const value = rules?.[keyword];
    const compared = keyword === 'enum' && Array.isArray(value) ? value : [value];
    if (compared.some((each) => hasRounded(each, exact))) {
      const problem = 'has an integer that a double cannot hold; use format int64, or a smaller one';
      throw new ContractError(below(pointer, keyword), `the keyword ${keyword} ${problem}`);
    }
  }
  const { multipleOf } = rules ?? {};
  if (exact && typeof multipleOf === 'number' && !Number.isInteger(multipleOf)) {
    throw new ContractError(
      below(pointer, 'multipleOf'),
      `must be an integer beside int64, and is ${multipleOf}`,
    );
  }
}

/** A bigint of the contract is compared only with bigints. */
function hasRounded(value: Json | undefined, exact: boolean): boolean {
  if (typeof value === 'bigint') return !exact;
  if (Array.isArray(value)) return value.some((each) => hasRounded(each, false));
  return isObject(value) && Object.values(value).some((each) => hasRounded(each, false));
}
