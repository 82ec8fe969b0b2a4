import { ContractError, isObject, type Json, type Node } from '../operator/contract.ts';

/** Every supported keyword, with what its value contains: a schema, an array or object of schemas, or no schema. */
const KEYWORDS = new Map<string, 'schema' | 'array' | 'object' | 'number' | 'value' | 'annotation'>(
  [
    ...keywords('schema', 'items additionalProperties'),
    ...keywords('array', 'allOf anyOf oneOf'),
    ...keywords('object', 'properties'),
    ...keywords(
      'number',
      'enum const minimum maximum exclusiveMinimum exclusiveMaximum multipleOf',
    ),
    ...keywords('number', 'minLength maxLength minItems maxItems minProperties maxProperties'),
    ...keywords('value', 'type format required pattern $ref'),
    ...keywords('annotation', 'title description $comment default deprecated readOnly writeOnly'),
    ...keywords('annotation', 'example examples externalDocs xml'),
  ],
);

/** What to use instead of an unsupported keyword that people might expect to work. */
const INSTEAD = new Map([
  ['nullable', 'add "null" to type, as in ["string", "null"]'],
  ['discriminator', 'use oneOf, with a const in each schema'],
]);
const TYPES: readonly Json[] = [
  'string',
  'number',
  'integer',
  'boolean',
  'null',
  'array',
  'object',
];
const FORMATS: readonly Json[] = ['int32', 'int64', 'date', 'date-time', 'uuid', 'email'];

function keywords<const Kind>(kind: Kind, names: string): [string, Kind][] {
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
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema | boolean;
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
  if (kind === 'schema' && typeof node.value !== 'boolean') return read(node);
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

function checkRules(node: Node): void {
  const { value: rules, pointer } = node;
  if (!isObject(rules))
    throw new ContractError(pointer, `must be a schema, got ${JSON.stringify(rules)}`);
  const { type = [], format, multipleOf = 1, pattern, maxLength } = rules;
  const reject = (keyword: string, problem: string) => {
    throw new ContractError(node.child(keyword).pointer, problem);
  };
  for (const [keyword, value] of Object.entries(rules)) {
    const kind = KEYWORDS.get(keyword);
    if (kind === undefined && isRule(keyword)) {
      const instead =
        INSTEAD.get(keyword) ?? 'remove it, and enforce the rule with code in lambda/';
      reject(keyword, `the keyword ${keyword} is not supported; ${instead}`);
    }
    const values = keyword === 'enum' ? [value].flat() : [value];
    for (const each of kind === 'number' ? values : []) {
      if (/^[[{]/.test(JSON.stringify(each))) {
        reject(keyword, 'objects and arrays are not supported here; remove them');
      }
      // `parseContract` makes an int64 above 2^53 an object.
      const isExact =
        typeof each === 'number' ? Number.isFinite(each) : !isObject(each) || format === 'int64';
      if (!isExact) {
        reject(
          keyword,
          'cannot be represented exactly; use an integer within 2^53, an int64 beside format int64, or a shorter fraction',
        );
      }
    }
  }
  const types = [type].flat();
  const step = JSON.stringify(multipleOf);
  const names = [...node.child('properties').children().keys()];
  const inherited = names.find((name) => name in Object.prototype);
  const checks: readonly (readonly [keyword: string, isRight: boolean, problem: string])[] = [
    [
      'type',
      types.every((each) => TYPES.includes(each)),
      `must be one of ${TYPES.join(', ')}, got ${JSON.stringify(type)}`,
    ],
    [
      'format',
      format === undefined || FORMATS.includes(format),
      `must be one of ${FORMATS.join(', ')}, got ${JSON.stringify(format)}`,
    ],
    [
      'format',
      !isInt(format) || types.includes('integer'),
      `the format ${format} requires type "integer"; set this type in the same schema`,
    ],
    [
      'multipleOf',
      /^[1-9]\d*$/.test(step),
      `must be a positive integer, got ${step}; use a smaller unit, such as cents`,
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
  for (const [keyword, isRight, problem] of checks) if (!isRight) reject(keyword, problem);
}
