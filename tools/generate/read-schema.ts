import { assertSupported, ContractError, type ContractNode } from '../contract/contract.ts';
import { isObject, type JsonObject } from '../json.ts';
import { STRING_FORMATS } from './string-formats.ts';

/** The key of a schema's pointer. JSON omits it. */
export const POINTER = Symbol('pointer');

/** A schema in Ajv's keywords, without `$ref`s and annotations. */
export interface Schema {
  readonly [POINTER]: string;
  readonly type?: unknown;
  readonly format?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly [keyword: string]: unknown;
}

const INTEGER_FORMATS = ['int32', 'int64'];
const INT32 = { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 };

/** Reads a keyword's value, next to the other keywords of the same schema. */
type Keyword = (
  value: ContractNode,
  read: (schema: ContractNode) => Schema,
  siblings: JsonObject,
) => unknown;

const asIs: Keyword = ({ value }) => value;
const schema: Keyword = (node, read) => read(node);
const schemas: Keyword = (node, read) => [...node.children().values()].map(read);
const scalar = (node: ContractNode) => {
  // `parseContract` turns a number that JSON.parse rounds into an object.
  const problem = `must not be an object, an array or a number that JavaScript rounds, got ${JSON.stringify(node.value)}; enforce the rule with code in lambda/`;
  assertSupported(typeof node.value !== 'object' || node.value === null, node, problem);
  return node.value;
};

/** Every keyword that may reject a value, if it is supported. */
const KEYWORDS = new Map(
  Object.entries<Keyword>({
    type: asIs,
    format: (node, _read, { type }) => {
      const names = [...INTEGER_FORMATS, ...Object.keys(STRING_FORMATS)];
      const name = names.find((each) => each === node.value);
      const problem = `must be one of ${names.join(', ')}, got ${JSON.stringify(node.value)}`;
      assertSupported(name !== undefined, node, problem);
      const isInteger = INTEGER_FORMATS.includes(name);
      const required = isInteger ? 'integer' : 'string';
      const types = [type].flat();
      assertSupported(
        types.includes(required) && !(isInteger && types.includes('number')),
        node,
        `the format ${name} requires type "${required}"; set this type in the same schema`,
      );
      return name;
    },
    enum: (node) => {
      for (const each of node.children().values()) scalar(each);
      return node.value;
    },
    const: scalar,
    minimum: scalar,
    maximum: scalar,
    exclusiveMinimum: scalar,
    exclusiveMaximum: scalar,
    minLength: asIs,
    maxLength: asIs,
    pattern: (node, _read, { maxLength }) => {
      assertSupported(
        maxLength !== undefined,
        node,
        'needs a maxLength in the same schema, to limit its time',
      );
      return node.value;
    },
    items: schema,
    minItems: asIs,
    maxItems: asIs,
    properties: (node, read) => {
      const properties = [...node.children()];
      for (const [name, each] of properties) assertOwn(name, each);
      return Object.fromEntries(properties.map(([name, each]) => [name, read(each)]));
    },
    required: (node) => {
      for (const each of node.children().values()) assertOwn(String(each.value), each);
      return node.value;
    },
    additionalProperties: (node) => {
      const problem = 'must be true or false; check such properties with code in lambda/';
      assertSupported(typeof node.value === 'boolean', node, problem);
      return node.value;
    },
    allOf: schemas,
    anyOf: schemas,
    oneOf: schemas,
  }),
);

const ANNOTATIONS = [
  'title',
  'description',
  '$comment',
  'default',
  'deprecated',
  'readOnly',
  'writeOnly',
  'example',
  'examples',
  'externalDocs',
  'xml',
];

/** Returns whether a schema with the keyword may reject a value. */
export function isRule(keyword: string): boolean {
  return !ANNOTATIONS.includes(keyword) && !keyword.startsWith('x-');
}

/**
 * Reads a schema and all schemas in it. `{ type: 'string', title: 'Tag' }` becomes
 * `{ type: 'string', wellFormed: true }`, and a `$ref` becomes what it refers to.
 *
 * @param outer the pointers of the schemas that contain it
 * @throws ContractError that names a keyword or value that is not supported
 */
export function readSchema(node: ContractNode, outer: readonly string[] = []): Schema {
  const { pointer, value } = node;
  if (!isObject(value))
    throw new ContractError(pointer, `must be a schema, got ${JSON.stringify(value)}`);
  assertSupported(
    !outer.includes(pointer),
    node,
    'a schema that contains itself is not supported; limit its depth',
  );
  const read = (inner: ContractNode) => readSchema(inner, [...outer, pointer]);
  const keywords: Record<string, unknown> = {};
  for (const [keyword, each] of node.children()) {
    if (!isRule(keyword) || keyword === '$ref') continue;
    const readValue = KEYWORDS.get(keyword);
    const instead =
      keyword === 'nullable'
        ? 'add "null" to type'
        : 'remove it, and enforce the rule with code in lambda/';
    assertSupported(
      readValue !== undefined,
      each,
      `the keyword ${keyword} is not supported; ${instead}`,
    );
    keywords[keyword] = readValue(each, read, value);
  }
  if ([value.type].flat().includes('string')) keywords.wellFormed = true;
  const parts: Schema[] = [];
  if (value.$ref !== undefined) parts.push(read(node.resolved()));
  if (Object.keys(keywords).length > 0) parts.push({ [POINTER]: pointer, ...keywords });
  if (value.format === 'int32') parts.push({ [POINTER]: pointer, ...INT32 });
  // A schema without rules accepts everything.
  const [first = { [POINTER]: pointer }, ...others] = parts;
  return others.length === 0 ? first : { [POINTER]: pointer, allOf: parts };
}

function assertOwn(property: string, node: ContractNode): void {
  const problem = `every object in JavaScript has a property ${property}; use a different name`;
  assertSupported(!(property in Object.prototype), node, problem);
}
