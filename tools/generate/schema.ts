import { ContractError, isObject, type Json, type Node } from '../operator/contract.ts';
import { FORMATS } from './string-formats.ts';

type Kind = 'schema' | 'array' | 'object' | 'scalar' | 'other' | 'annotation';

/** Every supported keyword, with its value: a schema, an array or object of schemas, one or several scalars, or other. */
const KEYWORDS = new Map<string, Kind>([
  ...keywords('schema', 'items'),
  ...keywords('array', 'allOf anyOf oneOf'),
  ...keywords('object', 'properties'),
  ...keywords('scalar', 'enum const minimum maximum exclusiveMinimum exclusiveMaximum'),
  ...keywords('scalar', 'minLength maxLength minItems maxItems'),
  ...keywords('other', 'type format required additionalProperties pattern $ref'),
  ...keywords('annotation', 'title description $comment default deprecated readOnly writeOnly'),
  ...keywords('annotation', 'example examples externalDocs xml'),
]);

/** What to use instead of an unsupported keyword that people might expect to work. */
const INSTEAD = new Map([
  ['nullable', 'add "null" to type, as in ["string", "null"]'],
  ['discriminator', 'use oneOf, with a const in each schema'],
]);
const TYPES: readonly Json[] = 'string number integer boolean null array object'.split(' ');
const FORMAT_NAMES: readonly Json[] = ['int32', 'int64', ...Object.keys(FORMATS)];

function keywords(kind: Kind, names: string): [string, Kind][] {
  return names.split(' ').map((name) => [name, kind]);
}

/** The key of a schema's pointer. JSON omits it. */
export const POINTER = Symbol('pointer');

/**
 * A schema without `$ref`s and annotations. Instead of `type`, it has `types`, in which an integer with the format int64
 * has the type `int64`.
 */
export interface Schema {
  readonly [POINTER]: string;
  readonly types?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

/**
 * Reads a schema and all schemas in it.
 *
 * @param outer the pointers of the schemas that contain it
 * @throws ContractError that names a keyword or value that is not supported
 */
export function readSchema(node: Node, outer: readonly string[] = []): Schema {
  const { pointer } = node;
  if (outer.includes(pointer)) {
    throw new ContractError(
      pointer,
      'a schema that contains itself is not supported; limit its depth',
    );
  }
  checkRules(node);
  const readInner = (inner: Node) => readSchema(inner, [...outer, pointer]);
  const schema: Record<string, unknown> = {};
  for (const [keyword, value] of node.children()) {
    checkKeyword(keyword, value);
    if (isRule(keyword)) schema[keyword] = readValue(keyword, value, readInner);
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
  if ($ref === undefined) return { [POINTER]: pointer, ...own };
  const target = readInner(node.resolved());
  const isAlone = Object.keys(own).length === 0;
  return isAlone ? target : { [POINTER]: pointer, allOf: [target, { [POINTER]: pointer, ...own }] };
}

/** Returns a keyword's value, in which `read` replaces each schema. */
function readValue(keyword: string, node: Node, read: (inner: Node) => Schema): unknown {
  const kind = KEYWORDS.get(keyword);
  const children = [...node.children()];
  if (kind === 'schema') return read(node);
  if (kind === 'array') return children.map(([, inner]) => read(inner));
  if (kind === 'object')
    return Object.fromEntries(children.map(([name, inner]) => [name, read(inner)]));
  return node.value;
}

/** Returns whether a schema with the keyword may reject a value. */
export function isRule(keyword: string): boolean {
  return KEYWORDS.get(keyword) !== 'annotation' && !keyword.startsWith('x-');
}

function isInt(format: unknown): boolean {
  return format === 'int32' || format === 'int64';
}

function checkKeyword(keyword: string, { pointer, value }: Node): void {
  const kind = KEYWORDS.get(keyword);
  if (kind === undefined && isRule(keyword)) {
    const instead = INSTEAD.get(keyword) ?? 'remove it, and enforce the rule with code in lambda/';
    throw new ContractError(pointer, `the keyword ${keyword} is not supported; ${instead}`);
  }
  if (kind !== 'scalar') return;
  // `parseContract` makes a number that JSON.parse rounds an object.
  const scalars = keyword === 'enum' ? [value].flat() : [value];
  const other = scalars.find((each) => typeof each === 'object' && each !== null);
  if (other !== undefined) {
    throw new ContractError(
      pointer,
      `must not be an object, an array or a number that JavaScript rounds, got ${JSON.stringify(other)}; enforce the rule with code in lambda/`,
    );
  }
}

function checkRules(node: Node): void {
  const { value: rules, pointer } = node;
  if (!isObject(rules))
    throw new ContractError(pointer, `must be a schema, got ${JSON.stringify(rules)}`);
  const { type = [], format, required = [], additionalProperties, pattern, maxLength } = rules;
  const types = [type].flat();
  const names = [...node.child('properties').children().keys(), ...[required].flat()];
  const inherited = names.find((name) => String(name) in Object.prototype);
  const checks: readonly (readonly [keyword: string, isRight: boolean, problem: string])[] = [
    [
      'type',
      types.every((each) => TYPES.includes(each)),
      `must be one of ${TYPES.join(', ')}, got ${JSON.stringify(type)}`,
    ],
    [
      'format',
      format === undefined || FORMAT_NAMES.includes(format),
      `must be one of ${FORMAT_NAMES.join(', ')}, got ${JSON.stringify(format)}`,
    ],
    [
      'format',
      !isInt(format) || types.includes('integer'),
      `the format ${format} requires type "integer"; set this type in the same schema`,
    ],
    [
      'additionalProperties',
      additionalProperties === undefined || typeof additionalProperties === 'boolean',
      'must be true or false; check such properties with code in lambda/',
    ],
    [
      'pattern',
      pattern === undefined || maxLength !== undefined,
      'needs a maxLength in the same schema, to limit its time',
    ],
    [
      'properties',
      inherited === undefined,
      `every object in JavaScript has a property ${inherited}; use a different name`,
    ],
  ];
  for (const [keyword, isRight, problem] of checks) {
    if (!isRight) throw new ContractError(node.child(keyword).pointer, problem);
  }
}
