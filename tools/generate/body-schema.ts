import { RegExpValidator } from '@eslint-community/regexpp';
import { below, ContractError, isObject, type JsonObject, schemaAt, targetOf, write } from './contract.ts';

/** Every supported keyword, with the kind of its value: a schema, an array or object of schemas, or any other value. */
export const KEYWORDS: Readonly<Record<string, 'schema' | 'schemas' | 'value'>> = {
  ...keywords('schema', 'items contains additionalProperties propertyNames not if then else'),
  ...keywords('schemas', 'prefixItems allOf anyOf oneOf'),
  ...keywords('schemas', 'properties patternProperties dependentSchemas $defs'),
  ...keywords('value', '$ref type enum const required minLength maxLength pattern format'),
  ...keywords('value', 'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf'),
  ...keywords('value', 'minItems maxItems uniqueItems minContains maxContains minProperties maxProperties'),
  ...keywords('value', 'dependentRequired'),
  // Annotations, which do not restrict values.
  ...keywords('value', 'title description $comment default deprecated readOnly writeOnly'),
  ...keywords('value', 'example examples externalDocs xml'),
};

function keywords<Kind>(kind: Kind, names: string): Record<string, Kind> {
  return Object.fromEntries(names.split(' ').map((name) => [name, kind]));
}

/** What to use instead of an unsupported keyword that people might expect to work. */
const INSTEAD: Readonly<Record<string, string>> = {
  ...keywords('use a $ref with the path to the schema', '$id $anchor $dynamicRef $dynamicAnchor id'),
  unevaluatedProperties: 'use additionalProperties, in a schema that lists all properties',
  unevaluatedItems: 'use prefixItems and items',
  nullable: 'add "null" to type, as in ["string", "null"]',
  discriminator: 'use oneOf, with a const in each schema',
  definitions: 'use $defs',
  dependencies: 'use dependentRequired or dependentSchemas',
};

const FORMATS = ['int32', 'int64', 'date', 'date-time', 'uuid', 'email', 'uri'];

/** The keywords that compare numbers. */
export const BOUNDS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];

/** The keywords whose schemas apply to the same value as the keyword itself, and can make the value invalid. */
export const ASSERTED = ['$ref', 'allOf', 'anyOf', 'oneOf', 'then', 'else', 'dependentSchemas'];
export const IN_PLACE = [...ASSERTED, 'not', 'if'];

/** The schema of a body, or a schema in it. */
export interface Subschema {
  readonly pointer: string;
  /** The schema's keywords and their values; empty for the schemas `true` and `false`. */
  readonly rules: JsonObject;
  /** The schema itself if it is `true` or `false`; otherwise undefined. */
  readonly always?: boolean;
  /**
   * The schemas under each keyword, by their names or indexes; if the keyword's value is itself a schema, the name is
   * ''.
   */
  readonly within: Map<string, ReadonlyMap<string, Subschema>>;
}

/** The schema of a body, and all schemas in it; the first one applies to the body itself. */
export interface BodySchema {
  readonly all: readonly [Subschema, ...Subschema[]];
  /** Whether a schema contains itself, so that bodies can have any depth. */
  readonly isRecursive: boolean;
}

/** @throws ContractError if a keyword or its value is not supported */
export function bodySchema(contract: JsonObject, root: string): BodySchema {
  const found = new Map<string, Subschema>();
  let isRecursive = false;

  /**
   * @param containers pointers to the schemas around this one
   * @param inPlace pointers to the schemas around this one that apply to the same value
   */
  function read(pointer: string, containers: readonly string[], inPlace: readonly string[]): Subschema {
    if (inPlace.includes(pointer))
      throw new ContractError(
        pointer,
        'the schema refers to itself, but not through a property or an item; remove the reference',
      );
    const known = found.get(pointer);
    if (known !== undefined) {
      isRecursive ||= containers.includes(pointer);
      return known;
    }
    const value = schemaAt(contract, pointer);
    const rules = isObject(value) ? value : {};
    const schema = {
      pointer,
      rules,
      within: new Map(),
      ...(typeof value === 'boolean' ? { always: value } : {}),
    };
    found.set(pointer, schema);
    checkRules(schema);
    for (const keyword of Object.keys(rules)) {
      const places = Object.entries(placesUnder(keyword, rules, pointer));
      const around = [...containers, pointer];
      const same = IN_PLACE.includes(keyword) ? [...inPlace, pointer] : [];
      schema.within.set(keyword, new Map(places.map(([name, place]) => [name, read(place, around, same)])));
    }
    return schema;
  }

  function placesUnder(keyword: string, rules: JsonObject, pointer: string): Record<string, string> {
    const place = below(pointer, keyword);
    if (keyword === '$ref') return { '': targetOf(contract, rules.$ref, place) };
    if (KEYWORDS[keyword] === 'schema') return { '': place };
    if (KEYWORDS[keyword] !== 'schemas') return {};
    return Object.fromEntries(Object.keys(Object(rules[keyword])).map((name) => [name, below(place, name)]));
  }

  const first = read(root, [], []);
  return { all: [first, ...[...found.values()].slice(1)], isRecursive };
}

/** Returns the schemas under a keyword. */
export function under({ within }: Subschema, keyword: string): Subschema[] {
  return [...(within.get(keyword)?.values() ?? [])];
}

/** @throws ContractError if a keyword or its value is not supported */
function checkRules({ rules, pointer }: Subschema): void {
  const reject = (keyword: string, problem: string) => {
    throw new ContractError(below(pointer, keyword), problem);
  };
  for (const keyword of Object.keys(rules)) {
    if (keyword in KEYWORDS || keyword.startsWith('x-')) continue;
    const advice =
      INSTEAD[keyword] ??
      didYouMean(keyword, Object.keys(KEYWORDS)) ??
      'remove it, and enforce the rule with code in lambda/';
    reject(keyword, `the keyword ${keyword} is not supported; ${advice}`);
  }
  const { format } = rules;
  if (format !== undefined && !FORMATS.some((name) => name === format)) {
    reject(
      'format',
      `the format ${write(format)} is not supported; use one of ${FORMATS.join(', ')}, or no format`,
    );
  }
  const types = typesOf(rules);
  if (format === 'int64' && (!types.includes('integer') || types.includes('number'))) {
    reject('format', 'the format int64 requires type "integer"; set this type in the same schema');
  }
  for (const { keyword, source } of patternsOf(rules)) {
    try {
      RegExp(source, 'u');
      // V8 accepts (?<a>(?<a>b)|c), although two groups that can match together must not have the same name.
      new RegExpValidator().validatePattern(source, 0, source.length, { unicode: true });
    } catch (error) {
      const got = `${JSON.stringify(source)} (${String(error).split(': ').at(-1)})`;
      reject(keyword, `must be a valid regular expression with the flag u, got ${got}; correct it`);
    }
  }
  for (const keyword of ['properties', 'required', 'dependentRequired', 'dependentSchemas']) {
    const value = rules[keyword];
    const names = Array.isArray(value) ? value : Object.keys(Object(value));
    if (names.includes('__proto__')) {
      reject(keyword, 'every body with the key __proto__ is rejected; use a different name');
    }
  }
}

/** Returns a schema's regular expressions, each with the maxLength, if any, of the strings that it is tested on. */
export function patternsOf(rules: JsonObject): { keyword: string; source: string; maxLength?: number }[] {
  const { pattern, patternProperties, maxLength } = rules;
  const keys = Object.keys(Object(patternProperties)).map((source) => ({
    keyword: 'patternProperties',
    source,
  }));
  if (typeof pattern !== 'string') return keys;
  const limit = typeof maxLength === 'number' ? { maxLength } : {};
  return [...keys, { keyword: 'pattern', source: pattern, ...limit }];
}

/** Returns the types that a schema allows, or no types if it has no `type`. */
export function typesOf({ type }: JsonObject): readonly string[] {
  return [type].flat().filter((each) => typeof each === 'string');
}

/** @returns a question that suggests a known name, if the unknown name looks like a misspelling of one */
export function didYouMean(unknown: string, known: readonly string[]): string | undefined {
  const found = [1, 2]
    .filter((edits) => edits <= unknown.length / 3)
    .flatMap((edits) => known.filter((name) => isWithin(edits, unknown, name)));
  return found[0] === undefined ? undefined : `did you mean ${found[0]}?`;
}

/** Whether at most `edits` insertions, deletions and replacements of letters turn one word into the other. */
function isWithin(edits: number, a: string, b: string): boolean {
  if (a === b || edits < 0) return a === b;
  if (a[0] === b[0]) return isWithin(edits, a.slice(1), b.slice(1));
  const [restOfA, restOfB] = [a.slice(1), b.slice(1)];
  return (
    isWithin(edits - 1, restOfA, restOfB) ||
    isWithin(edits - 1, restOfA, b) ||
    isWithin(edits - 1, a, restOfB)
  );
}
