import { below, ContractError, isObject, type JsonObject, targetOf, valueAt, write } from './contract.ts';

/** What the value of a keyword is made of. */
type Kind = 'schema' | 'schemas' | 'map' | 'rule' | 'annotation';

/** Every keyword that is honoured in the schema of a body. Annotations assert nothing (JSON Schema 2020-12). */
const KEYWORDS: Readonly<Record<string, Kind>> = {
  ...keywords('rule', '$ref type enum const required minLength maxLength pattern format'),
  ...keywords('rule', 'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf'),
  ...keywords('rule', 'minItems maxItems uniqueItems minContains maxContains minProperties maxProperties'),
  ...keywords('rule', 'dependentRequired'),
  ...keywords('schema', 'items contains additionalProperties propertyNames not if then else'),
  ...keywords('schemas', 'prefixItems allOf anyOf oneOf'),
  ...keywords('map', 'properties patternProperties dependentSchemas $defs'),
  ...keywords('annotation', 'title description $comment default deprecated readOnly writeOnly'),
  ...keywords('annotation', 'example examples externalDocs xml'),
};

/** What to do instead of a keyword that people expect here. */
const INSTEAD: Readonly<Record<string, string>> = {
  ...instead('$id $anchor $dynamicRef $dynamicAnchor id', 'refer to the schema by its place, with $ref'),
  ...instead('unevaluatedProperties', 'use additionalProperties beside all properties'),
  ...instead('unevaluatedItems additionalItems', 'use prefixItems and items'),
  nullable: 'write type ["string", "null"]',
  discriminator: 'use oneOf, with a const in each schema',
  definitions: 'use $defs',
  dependencies: 'use dependentRequired or dependentSchemas',
  ...instead('contentEncoding contentMediaType contentSchema', 'use pattern'),
};

const FORMATS = ['int32', 'int64', 'date', 'date-time', 'uuid', 'email', 'uri'];

/** The keywords that compare numbers. */
export const BOUNDS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];

function keywords(kind: Kind, names: string): Record<string, Kind> {
  return Object.fromEntries(names.split(' ').map((name) => [name, kind]));
}

function instead(names: string, advice: string): Record<string, string> {
  return Object.fromEntries(names.split(' ').map((name) => [name, advice]));
}

/** A schema within a body's schema: what it says, and the schemas in it. */
export interface Subschema {
  readonly pointer: string;
  /** Undefined for the schemas `true` and `false`. */
  readonly rules: JsonObject | undefined;
  /** Whether it is true or false, if it is one of these. */
  readonly always: boolean | undefined;
}

/** The schemas of a body. */
export class BodySchema {
  readonly root: Subschema;
  readonly #contract: JsonObject;
  readonly #found = new Map<string, Subschema>();
  /** Whether a schema contains itself, so that bodies have any depth. */
  isRecursive = false;

  /** @throws ContractError if a keyword, or its value, is not honoured */
  constructor(contract: JsonObject, pointer: string) {
    this.#contract = contract;
    this.root = this.#read(pointer, []);
  }

  get all(): readonly Subschema[] {
    return [...this.#found.values()];
  }

  at(pointer: string): Subschema {
    const found = this.#found.get(pointer);
    if (found === undefined) throw new Error(`${pointer} is not a schema of this body`);
    return found;
  }

  /** The schemas under a keyword, by their names or indexes in it; a schema that is its value has the name ''. */
  under({ pointer, rules }: Subschema, keyword: string): Map<string, Subschema> {
    const value = rules?.[keyword];
    if (value === undefined) return new Map();
    const place = below(pointer, keyword);
    if (keyword === '$ref') return new Map([['', this.at(targetOf(this.#contract, value, place))]]);
    const kind = KEYWORDS[keyword];
    if (kind === 'schema') return new Map([['', this.at(place)]]);
    if (kind !== 'schemas' && kind !== 'map') return new Map();
    return new Map(Object.keys(Object(value)).map((name) => [name, this.at(below(place, name))]));
  }

  #read(pointer: string, containers: readonly string[]): Subschema {
    const known = this.#found.get(pointer);
    if (known !== undefined) {
      this.isRecursive ||= containers.includes(pointer);
      return known;
    }
    const schema = valueAt(this.#contract, pointer);
    const [rules, always] = [
      isObject(schema) ? schema : undefined,
      schema === true || schema === false ? schema : undefined,
    ];
    if (rules === undefined && always === undefined)
      throw new ContractError(pointer, 'must be a schema; write an object');
    const subschema = { pointer, rules, always };
    this.#found.set(pointer, subschema);
    if (rules === undefined) return subschema;
    for (const keyword of Object.keys(rules)) checkKeyword(keyword, below(pointer, keyword));
    checkRules(rules, pointer);
    const within = [...containers, pointer];
    for (const [keyword, value] of Object.entries(rules)) {
      const place = below(pointer, keyword);
      const kind = KEYWORDS[keyword];
      if (keyword === '$ref') this.#read(targetOf(this.#contract, value, place), within);
      else if (kind === 'schema') this.#read(place, within);
      else if (kind === 'schemas' || kind === 'map') {
        for (const name of Object.keys(Object(value))) this.#read(below(place, name), within);
      }
    }
    return subschema;
  }
}

function checkKeyword(keyword: string, place: string): void {
  if (keyword in KEYWORDS || keyword.startsWith('x-')) return;
  const advice = INSTEAD[keyword] ?? 'remove it, and check this in lambda/';
  throw new ContractError(place, `the keyword ${keyword} is not honoured; ${advice}`);
}

/** @throws ContractError if the value of a keyword cannot be honoured */
function checkRules(rules: JsonObject, pointer: string): void {
  const refuse = (keyword: string, problem: string) => {
    throw new ContractError(below(pointer, keyword), problem);
  };
  const { format, pattern } = rules;
  if (format !== undefined && !FORMATS.some((name) => name === format)) {
    refuse('format', `the format ${write(format)} is not honoured; use ${FORMATS.join(', ')}, or pattern`);
  }
  const types = typesOf(rules);
  if (format === 'int64' && (!types.includes('integer') || types.includes('number'))) {
    refuse('format', 'the format int64 needs type "integer"; write it beside the format');
  }
  for (const [keyword, each] of [...patternNames(rules), ['pattern', pattern] as const]) {
    if (typeof each === 'string' && !isRegExp(each)) {
      refuse(keyword, `the keyword ${keyword} has ${write(each)}, which is not a regular expression; fix it`);
    }
  }
  for (const keyword of ['properties', 'required', 'dependentRequired', 'dependentSchemas']) {
    const value = rules[keyword];
    const names = Array.isArray(value) ? value : Object.keys(Object(value));
    if (names.includes('__proto__')) {
      refuse(
        keyword,
        `the keyword ${keyword} has __proto__, which every body is rejected for; use another name`,
      );
    }
  }
}

function patternNames({ patternProperties }: JsonObject): [string, string][] {
  return Object.keys(Object(patternProperties)).map((name) => ['patternProperties', name]);
}

function isRegExp(source: string): boolean {
  try {
    new RegExp(source, 'u');
    return true;
  } catch {
    return false;
  }
}

/** The types that a schema names. */
export function typesOf({ type }: JsonObject): readonly string[] {
  if (typeof type === 'string') return [type];
  return Array.isArray(type) ? type.filter((each) => typeof each === 'string') : [];
}
