import { below, ContractError, isObject, type JsonObject, resolve, valueAt, write } from './contract.ts';

/** Every supported keyword, with what its value contains: a schema, an array or object of schemas, or no schema. */
const KEYWORDS: Readonly<Record<string, 'schema' | 'array' | 'object' | 'value' | 'annotation'>> = {
  ...keywords('schema', 'items additionalProperties'),
  ...keywords('array', 'allOf anyOf oneOf'),
  ...keywords('object', 'properties'),
  ...keywords('value', 'type format enum const required minLength maxLength pattern minItems maxItems'),
  ...keywords('value', 'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf $ref'),
  ...keywords('annotation', 'title description $comment default deprecated readOnly writeOnly'),
  ...keywords('annotation', 'example examples externalDocs xml'),
};

/** What to use instead of an unsupported keyword that people might expect to work. */
const INSTEAD: Readonly<Record<string, string>> = {
  nullable: 'add "null" to type, as in ["string", "null"]',
  discriminator: 'use oneOf, with a const in each schema',
};
const TYPES = ['string', 'number', 'integer', 'boolean', 'null', 'array', 'object'];
const FORMATS = ['int32', 'int64', 'date', 'date-time', 'uuid', 'email'];
/** A longer string is not matched against a pattern. In this length, quadratic time is a few milliseconds. */
const MAX_MATCHED = 1_000;

function keywords<Kind>(kind: Kind, names: string): Record<string, Kind> {
  return Object.fromEntries(names.split(' ').map((name) => [name, kind]));
}

/**
 * A schema without `$ref`s and annotations. Instead of `type`, it has `types`, in which an integer with the format int64
 * has the type `int64`.
 */
export interface Schema {
  readonly types?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

/**
 * @param outer pointers to the schemas that contain this one
 * @throws ContractError that names a keyword or value that is not supported
 */
export function readSchema(contract: JsonObject, pointer: string, outer: readonly string[] = []): Schema {
  const rules = valueAt(contract, pointer);
  if (!isObject(rules)) throw new ContractError(pointer, `must be a schema, got ${write(rules ?? null)}`);
  if (outer.includes(pointer))
    throw new ContractError(pointer, 'a schema that contains itself is not supported; limit its depth');
  checkRules(rules, pointer);
  const read = (...steps: string[]) => readSchema(contract, below(pointer, ...steps), [...outer, pointer]);
  const schema: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(rules)) {
    const names = Object.keys(Object(value));
    const kind = typeof value === 'boolean' ? 'value' : KEYWORDS[keyword];
    if (kind === 'schema') schema[keyword] = read(keyword);
    else if (kind === 'array') schema[keyword] = names.map((name) => read(keyword, name));
    else if (kind === 'object')
      schema[keyword] = Object.fromEntries(names.map((name) => [name, read(keyword, name)]));
    else if (kind === 'value') schema[keyword] = value;
  }
  const { type, format, $ref, ...others } = schema;
  const types = [type ?? []]
    .flat()
    .map((each) => String(each === 'integer' && isInt(format) ? format : each));
  const own = {
    ...(type !== undefined && { types }),
    ...(types.includes('string') && { wellFormed: true }),
    ...(format !== undefined && !isInt(format) && { format }),
    ...others,
  };
  if ($ref === undefined) return own;
  const target = readSchema(contract, resolve(contract, pointer), [...outer, pointer]);
  return Object.keys(own).length === 0 ? target : { allOf: [target, own] };
}

function isInt(format: unknown): boolean {
  return format === 'int32' || format === 'int64';
}

function checkRules(rules: JsonObject, pointer: string): void {
  const reject = (keyword: string, problem: string) => {
    throw new ContractError(below(pointer, keyword), problem);
  };
  for (const keyword of Object.keys(rules)) {
    if (keyword in KEYWORDS || keyword.startsWith('x-')) continue;
    const advice = INSTEAD[keyword] ?? 'remove it, and enforce the rule with code in lambda/';
    reject(keyword, `the keyword ${keyword} is not supported; ${advice}`);
  }
  const {
    type = [],
    format,
    enum: values = [],
    const: only = null,
    multipleOf = 1,
    pattern,
    maxLength,
  } = rules;
  const types = [type].flat();
  for (const each of types)
    if (!TYPES.includes(String(each)))
      reject('type', `must be one of ${TYPES.join(', ')}, got ${write(each)}`);
  if (format !== undefined && !FORMATS.includes(String(format)))
    reject('format', `the format ${write(format)} is not supported; use one of ${FORMATS.join(', ')}`);
  if (isInt(format) && !types.includes('integer'))
    reject('format', `the format ${format} requires type "integer"; set this type in the same schema`);
  for (const [keyword, list] of Object.entries({ enum: [values].flat(), const: [only] })) {
    if (list.some((value) => value === Object(value) || typeof value === 'bigint'))
      reject(keyword, 'objects, arrays and integers above 2^53 are not supported here; remove them');
    if (format === 'int64' && rules[keyword] !== undefined)
      reject(keyword, 'is not supported for an int64; use minimum and maximum');
  }
  if (!/^[1-9]\d*$/.test(String(multipleOf))) reject('multipleOf', `must be an integer, got ${multipleOf}`);
  if (pattern !== undefined && !(typeof maxLength === 'number' && maxLength <= MAX_MATCHED))
    reject('pattern', `needs a maxLength of at most ${MAX_MATCHED} in the same schema, to limit its time`);
  if (Object.keys(Object(rules.properties)).includes('__proto__'))
    reject('properties', 'every body with the key __proto__ is rejected; use a different name');
}

/** Returns the patterns in a schema. */
function patternsOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([keyword, value]) =>
    keyword === 'pattern' && typeof value === 'string' ? value : patternsOf(value),
  );
}

/** @throws ContractError if a pattern is invalid, or can take more than quadratic time */
export async function checkPatterns(schema: Schema, place: string): Promise<void> {
  for (const pattern of patternsOf(schema)) {
    // recheck's other backends are native programs, which package.json excludes.
    process.env.RECHECK_BACKEND = 'pure';
    // Imported here, because this package of 3 MB is needed only for contracts with a pattern.
    const { checkSync } = await import('recheck');
    // recheck considers every limited repetition safe, however many ways there are to match it.
    const unlimited = pattern.replaceAll(/(?<!\\[upP])\{\d+(,\d*)?\}/g, '*');
    const found = checkSync(unlimited, 'u', { checker: 'automaton', timeout: null });
    const isQuadratic =
      found.status === 'vulnerable' &&
      found.complexity.type === 'polynomial' &&
      found.complexity.degree === 2;
    if (found.status === 'safe' || isQuadratic) continue;
    throw new ContractError(
      place,
      `the pattern ${pattern} can take too long; rewrite it so that a string can match in only one way`,
    );
  }
}
