import {
  ASSERTED,
  BOUNDS,
  type BodySchema,
  didYouMean,
  IN_PLACE,
  type Subschema,
  under,
} from './body-schema.ts';
import { below, ContractError, isObject, type Json } from './contract.ts';

/** A value in the body, with those of its properties and items that a schema describes. */
interface Level {
  int64: boolean;
  readonly properties: Map<string, Level | undefined>;
  /** All other properties. */
  rest: Level | undefined;
  readonly prefixItems: (Level | undefined)[];
  /** All other items. */
  items: Level | undefined;
}

/**
 * Finds the int64s in a body. Several schemas can apply to one value, so a `Level` represents a set of schemas.
 *
 * @returns an array of `Int64Node`s as JSON, of which the first one is for the body itself; the array is empty if the
 *   body has no int64
 * @throws ContractError if a number would be compared or stored inexactly, or if `required` names an unknown property
 */
export function int64Nodes(body: BodySchema): string {
  const levels = new Map<string, Level>();
  const exact = new Set<string>();
  const behindPatterns: { readonly level: Level | undefined; readonly pointer: string }[] = [];

  function levelOf(schemas: readonly Subschema[]): Level | undefined {
    if (schemas.length === 0) return undefined;
    const applied = appliedWith(schemas, IN_PLACE);
    const id = applied
      .map(({ pointer }) => pointer)
      .sort()
      .join(' ');
    const known = levels.get(id);
    if (known !== undefined) return known;
    const int64 = applied.some(({ rules }) => rules.format === 'int64');
    if (int64) for (const { pointer } of applied) exact.add(pointer);
    const level: Level = { int64, properties: new Map(), rest: undefined, prefixItems: [], items: undefined };
    levels.set(id, level);
    addProperties(level, applied);
    checkRequired(appliedWith(schemas, ASSERTED));
    addItems(level, applied);
    return level;
  }

  /** Returns the schemas and, at any depth, the schemas under the keywords, all of which must apply to the same value. */
  function appliedWith(schemas: readonly Subschema[], keywords: readonly string[]): Subschema[] {
    const applied = new Set(schemas);
    // Iterating over a set also visits elements that are added during the iteration.
    for (const schema of applied) {
      for (const each of keywords.flatMap((keyword) => under(schema, keyword))) applied.add(each);
    }
    return [...applied];
  }

  function addProperties(level: Level, applied: readonly Subschema[]): void {
    for (const name of applied.flatMap((schema) => Object.keys(Object(schema.rules.properties)))) {
      level.properties.set(name, levelOf(applied.flatMap((schema) => schemasOfProperty(schema, name))));
    }
    const patterns = applied.flatMap((schema) => under(schema, 'patternProperties'));
    const others = applied.flatMap((schema) => under(schema, 'additionalProperties'));
    level.rest = levelOf([...patterns, ...others]);
    for (const { pointer } of patterns) behindPatterns.push({ level: level.rest, pointer });
  }

  function schemasOfProperty(schema: Subschema, name: string): Subschema[] {
    const { within } = schema;
    const found = [
      ...[...(within.get('properties') ?? [])].filter(([key]) => key === name),
      ...[...(within.get('patternProperties') ?? [])].filter(([key]) => new RegExp(key, 'u').test(name)),
    ].map(([, each]) => each);
    return found.length > 0 ? found : under(schema, 'additionalProperties');
  }

  /** Rejects a required name that the object's properties do not include, because it is probably misspelled. */
  function checkRequired(asserted: readonly Subschema[]): void {
    const names = asserted.flatMap(({ rules }) => Object.keys(Object(rules.properties)));
    if (asserted.some(({ rules }) => rules.patternProperties ?? rules.additionalProperties)) return;
    for (const { pointer, rules } of asserted) {
      if (rules.type !== 'object' || rules.properties === undefined) continue;
      const unknown = [rules.required ?? []].flat().find((name) => !names.includes(String(name)));
      if (unknown === undefined) continue;
      const advice = didYouMean(String(unknown), names) ?? 'add it to properties, or remove it from required';
      throw new ContractError(below(pointer, 'required'), `${unknown} is not in properties; ${advice}`);
    }
  }

  function addItems(level: Level, applied: readonly Subschema[]): void {
    const prefixes = applied.map((schema) => under(schema, 'prefixItems'));
    const others = applied.map((schema) => under(schema, 'items'));
    const contained = applied.flatMap((schema) => under(schema, 'contains'));
    for (let at = 0; prefixes.some(({ length }) => at < length); at += 1) {
      const items = prefixes.flatMap((prefix, schema) => prefix[at] ?? others[schema] ?? []);
      level.prefixItems.push(levelOf([...items, ...contained]));
    }
    level.items = levelOf([...others.flat(), ...contained]);
  }

  levelOf([body.all[0]]);
  for (const schema of body.all) checkNumbers(schema, exact.has(schema.pointer));
  const hidden = behindPatterns.find(({ level }) => leadsToInt64(level));
  if (hidden !== undefined) {
    const problem = 'int64 is not supported in patternProperties; list each name in properties';
    throw new ContractError(hidden.pointer, problem);
  }
  const used = [...levels.values()].filter((level) => leadsToInt64(level));
  return JSON.stringify(used.map((level) => nodeOf(level, used)));
}

function leadsToInt64(level: Level | undefined, seen = new Set<Level>()): boolean {
  if (level === undefined || seen.has(level)) return false;
  seen.add(level);
  const next = [...level.properties.values(), level.rest, ...level.prefixItems, level.items];
  return level.int64 || next.some((each) => leadsToInt64(each, seen));
}

/** Returns a node; JSON.stringify omits the node's undefined fields. */
function nodeOf(
  { int64, properties, rest, prefixItems, items }: Level,
  used: readonly (Level | undefined)[],
) {
  const known = (level: Level | undefined) => (used.includes(level) ? used.indexOf(level) : undefined);
  // A property without int64s is listed only if `rest`, which applies to properties that are not listed, has int64s.
  const named = [...properties].filter(([, level]) => used.includes(level) || used.includes(rest));
  return {
    int64: int64 || undefined,
    properties:
      named.length === 0
        ? undefined
        : Object.fromEntries(named.map(([name, each]) => [name, used.indexOf(each)])),
    rest: known(rest),
    prefixItems: prefixItems.every((each) => known(each) === known(items))
      ? undefined
      : prefixItems.map((each) => used.indexOf(each)),
    items: known(items),
  };
}

/** @throws ContractError if a number in the schema cannot be compared exactly */
function checkNumbers({ rules, pointer }: Subschema, exact: boolean): void {
  for (const keyword of [...BOUNDS, 'const', 'enum']) {
    const value = rules[keyword];
    const compared = keyword === 'enum' && Array.isArray(value) ? value : [value];
    if (compared.some((each) => (exact && typeof each === 'bigint' ? false : hasBigint(each)))) {
      const problem =
        'a double cannot hold this integer exactly; add the format int64, or use a smaller integer';
      throw new ContractError(below(pointer, keyword), problem);
    }
  }
  const limit = Object.keys(rules).find((key) => /^m(in|ax)[A-Z]/.test(key) && hasBigint(rules[key]));
  if (limit !== undefined) {
    const problem = `must be at most ${Number.MAX_SAFE_INTEGER}, got ${rules[limit]}; remove it, or use a smaller limit`;
    throw new ContractError(below(pointer, limit), problem);
  }
  const { multipleOf } = rules;
  if (exact && typeof multipleOf === 'number' && !Number.isInteger(multipleOf)) {
    const problem = `must be an integer if the format is int64, got ${multipleOf}; use an integer`;
    throw new ContractError(below(pointer, 'multipleOf'), problem);
  }
}

function hasBigint(value: Json | undefined): boolean {
  if (Array.isArray(value)) return value.some(hasBigint);
  return typeof value === 'bigint' || (isObject(value) && Object.values(value).some(hasBigint));
}
