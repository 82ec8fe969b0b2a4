import {
  below,
  ContractError,
  isObject,
  type Json,
  type JsonObject,
  resolve,
  valueAt,
  write,
} from './contract.ts';

/** Every supported keyword, with what its value contains: a schema, an array or object of schemas, or no schema. */
const KEYWORDS = new Map<string, 'schema' | 'array' | 'object' | 'number' | 'value' | 'annotation'>([
  ...keywords('schema', 'items additionalProperties'),
  ...keywords('array', 'allOf anyOf oneOf'),
  ...keywords('object', 'properties'),
  ...keywords('number', 'enum const minimum maximum exclusiveMinimum exclusiveMaximum multipleOf'),
  ...keywords('number', 'minLength maxLength minItems maxItems minProperties maxProperties'),
  ...keywords('value', 'type format required pattern $ref'),
  ...keywords('annotation', 'title description $comment default deprecated readOnly writeOnly'),
  ...keywords('annotation', 'example examples externalDocs xml'),
]);

/** What to use instead of an unsupported keyword that people might expect to work. */
const INSTEAD = new Map([
  ['nullable', 'add "null" to type, as in ["string", "null"]'],
  ['discriminator', 'use oneOf, with a const in each schema'],
]);
const TYPES = ['string', 'number', 'integer', 'boolean', 'null', 'array', 'object'];
const FORMATS = ['int32', 'int64', 'date', 'date-time', 'uuid', 'email'];
/** A longer string is not matched against a pattern. In this length, quadratic time is a few milliseconds. */
const MAX_MATCHED = 1_000;
const MAX_SCHEMAS = 10_000;

function keywords<const Kind>(kind: Kind, names: string): [string, Kind][] {
  return names.split(' ').map((name) => [name, kind]);
}

/** The key of a schema's pointer. JSON omits it. */
export const PLACE = Symbol('place');

/**
 * A schema without `$ref`s and annotations. Instead of `type`, it has `types`, in which an integer with the format int64
 * has the type `int64`.
 */
export interface Schema {
  readonly [PLACE]: string;
  readonly types?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema | boolean;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

interface Body {
  readonly body: Schema;
  /** The patterns in the schema, by their pointers. */
  readonly patterns: ReadonlyMap<string, string>;
}

/** @throws ContractError that names a keyword or value that is not supported */
export function readBody(contract: JsonObject, place: string): Body {
  const patterns = new Map<string, string>();
  let schemas = 0;

  function read(pointer: string, outer: readonly string[]): Schema {
    const rules = valueAt(contract, pointer);
    if (!isObject(rules)) throw new ContractError(pointer, `must be a schema, got ${write(rules ?? null)}`);
    if (outer.includes(pointer)) {
      throw new ContractError(pointer, 'a schema that contains itself is not supported; limit its depth');
    }
    schemas += 1;
    if (schemas > MAX_SCHEMAS) {
      throw new ContractError(place, `the body has more than ${MAX_SCHEMAS} schemas; use fewer $refs`);
    }
    checkRules(rules, pointer);
    if (typeof rules.pattern === 'string') patterns.set(below(pointer, 'pattern'), rules.pattern);
    const inner = (...steps: string[]) => read(below(pointer, ...steps), [...outer, pointer]);
    const readValue = (keyword: string, value: Json) => {
      const kind = KEYWORDS.get(keyword);
      const names = Object.keys(Object(value));
      if (kind === 'schema' && typeof value !== 'boolean') return inner(keyword);
      if (kind === 'array') return names.map((name) => inner(keyword, name));
      if (kind === 'object') return Object.fromEntries(names.map((name) => [name, inner(keyword, name)]));
      return value;
    };
    const { type, format, $ref, ...others } = Object.fromEntries(
      Object.entries(rules)
        .filter(([keyword]) => isRule(keyword))
        .map(([keyword, value]) => [keyword, readValue(keyword, value)]),
    );
    const types = [type ?? []]
      .flat()
      .map((each) => String(each === 'integer' && isInt(format) ? format : each));
    const own = {
      ...(type !== undefined && { types }),
      ...(types.includes('string') && { wellFormed: true }),
      ...(format !== undefined && !isInt(format) && { format }),
      ...others,
    };
    if ($ref === undefined) return { [PLACE]: pointer, ...own };
    const target = read(resolve(contract, pointer), [...outer, pointer]);
    const isAlone = Object.keys(own).length === 0;
    return isAlone ? target : { [PLACE]: pointer, allOf: [target, { [PLACE]: pointer, ...own }] };
  }

  return { body: read(place, []), patterns };
}

/** Returns whether a schema with the keyword may reject a value. */
export function isRule(keyword: string): boolean {
  return KEYWORDS.get(keyword) !== 'annotation' && !keyword.startsWith('x-');
}

function isInt(format: unknown): boolean {
  return format === 'int32' || format === 'int64';
}

function checkRules(rules: JsonObject, pointer: string): void {
  const reject = (keyword: string, problem: string) => {
    throw new ContractError(below(pointer, keyword), problem);
  };
  const { type = [], format, multipleOf = 1, pattern, maxLength } = rules;
  for (const [keyword, value] of Object.entries(rules)) {
    const kind = KEYWORDS.get(keyword);
    const advice = INSTEAD.get(keyword) ?? 'remove it, and enforce the rule with code in lambda/';
    if (kind === undefined && isRule(keyword)) {
      reject(keyword, `the keyword ${keyword} is not supported; ${advice}`);
    }
    for (const each of kind === 'number' ? [value].flat() : []) {
      if (each === Object(each)) reject(keyword, 'objects and arrays are not supported here; remove them');
      if (typeof each === 'number' && !Number.isFinite(each)) {
        reject(keyword, 'cannot be represented exactly; use an integer, or a fraction with fewer digits');
      }
      if (typeof each === 'bigint' && format !== 'int64') {
        reject(
          keyword,
          `${each} is above 2^53, so it is exact only in a schema with the format int64; set this format`,
        );
      }
    }
  }
  const types = [type].flat();
  for (const each of types) {
    if (!TYPES.includes(String(each))) {
      reject('type', `must be one of ${TYPES.join(', ')}, got ${write(each)}`);
    }
  }
  if (format !== undefined && !FORMATS.includes(String(format))) {
    reject('format', `the format ${write(format)} is not supported; use one of ${FORMATS.join(', ')}`);
  }
  if (isInt(format) && !types.includes('integer')) {
    reject('format', `the format ${format} requires type "integer"; set this type in the same schema`);
  }
  if (!(typeof multipleOf === 'bigint' || Number.isSafeInteger(multipleOf)) || Number(multipleOf) < 1) {
    reject(
      'multipleOf',
      `must be a positive integer, got ${write(multipleOf)}; use a smaller unit, such as cents`,
    );
  }
  if (pattern !== undefined && !(typeof maxLength === 'number' && maxLength <= MAX_MATCHED)) {
    reject('pattern', `needs a maxLength of at most ${MAX_MATCHED} in the same schema, to limit its time`);
  }
  const inherited = Object.keys(Object(rules.properties)).find((name) => name in Object.prototype);
  if (inherited !== undefined) {
    reject('properties', `every object in JavaScript has a property ${inherited}; use a different name`);
  }
}
