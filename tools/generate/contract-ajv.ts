import {
  _,
  Ajv2020,
  type AnySchemaObject,
  type Code,
  type CodeKeywordDefinition,
  type KeywordCxt,
  type KeywordDefinition,
  nil,
  str,
} from 'ajv/dist/2020.js';
import { _Code } from 'ajv/dist/compile/codegen/code.js';
import { not, or } from 'ajv/dist/compile/codegen/index.js';
import { Type } from 'ajv/dist/compile/util.js';
import { usePattern } from 'ajv/dist/vocabularies/code.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';

type Definition = Omit<CodeKeywordDefinition, 'keyword'>;
type Message = NonNullable<CodeKeywordDefinition['error']>['message'];

/** Compiles what `compilableSchema` gives, with messages in the words of the contract. */
export class ContractAjv extends Ajv2020 {
  constructor({ ownProperties }: { ownProperties: boolean }) {
    super({
      allErrors: true,
      strict: false,
      ownProperties,
      // The contract was checked against it with all its numbers.
      meta: false,
      validateSchema: false,
      validateFormats: false,
      code: { source: true, esm: true, lines: true },
    });
    // Ajv2020 forces them, and each adds code to every function.
    Object.assign(this.opts, { unevaluated: false, dynamicRef: false });
    for (const [keyword, definition] of Object.entries(OWN)) this.addKeyword({ keyword, ...definition });
  }

  override addKeyword(definition: string | KeywordDefinition): this {
    if (typeof definition === 'string') super.addKeyword(definition);
    else {
      for (const keyword of [definition.keyword].flat()) {
        super.addKeyword({ ...definition, ...replaced(keyword, definition), keyword });
      }
    }
    return this;
  }
}

const INT64 = `an integer from ${-(2n ** 63n)} to ${2n ** 63n - 1n}`;

/** How messages name a type, and the test of a value that may be a bigint. */
const TYPES: Readonly<Record<string, { readonly name: string; readonly test: (data: Code) => Code }>> = {
  int64: { name: INT64, test: (data) => _`typeof ${data} === "bigint"` },
  integer: {
    name: 'an integer',
    test: (data) => _`typeof ${data} === "bigint" || Number.isInteger(${data})`,
  },
  number: { name: 'a number', test: (data) => _`typeof ${data} === "bigint" || Number.isFinite(${data})` },
  string: { name: 'a string', test: (data) => _`typeof ${data} === "string"` },
  boolean: { name: 'a boolean', test: (data) => _`typeof ${data} === "boolean"` },
  null: { name: 'null', test: (data) => _`${data} === null` },
  array: { name: 'an array', test: (data) => _`Array.isArray(${data})` },
  object: {
    name: 'an object',
    test: (data) => _`${data} && typeof ${data} === "object" && !Array.isArray(${data})`,
  },
};

/** Types in the words of a message, such as `a string or null`. */
export function typeNames(types: readonly string[]): string {
  return types.map((type) => TYPES[type]?.name ?? type).join(' or ');
}

const COMPARISONS = {
  minimum: { words: 'at least', fails: _`<` },
  maximum: { words: 'at most', fails: _`>` },
  exclusiveMinimum: { words: 'greater than', fails: _`<=` },
  exclusiveMaximum: { words: 'less than', fails: _`>=` },
};

/** Integers that a double cannot hold are written as bigints, which JavaScript compares with numbers too. */
function literal(number: string): Code {
  return new _Code(/^-?\d+$/.test(number) && !Number.isSafeInteger(Number(number)) ? `${number}n` : number);
}

function isNumber(data: Code): Code {
  return _`(typeof ${data} === "number" || typeof ${data} === "bigint")`;
}

/** A value of enum or const, in its canonical form. */
function equals({ gen, data, parentSchema }: KeywordCxt, value: string): Code {
  const code = new _Code(value);
  if (/^[[{]/.test(value)) return _`${imported(gen, 'canonical')}(${data}) === ${value}`;
  if (!/^[-\d]/.test(value)) return _`${data} === ${code}`;
  return parentSchema.exact === true
    ? _`${isNumber(data)} && ${data} == ${literal(value)}`
    : _`${data} === ${code}`;
}

/** The modules of what generated code imports. */
export const IMPORTS: Readonly<Record<string, string>> = {
  fullFormats: 'ajv-formats/dist/formats.js',
  canonical: '../shared/canonical.ts',
  areUnique: '../shared/canonical.ts',
  isMultipleOf: '../shared/multiple-of.ts',
};

function imported(gen: KeywordCxt['gen'], name: string): Code {
  return gen.scopeValue('func', { key: name, ref: name, code: new _Code(name) });
}

/** Keywords that the compiler gets instead of some of the contract. */
const OWN: Readonly<Record<string, Definition>> = {
  exact: { code: () => {} },
  exactType: {
    code: (cxt) => cxt.fail(not(or(...cxt.schema.map((type: string) => TYPES[type]?.test(cxt.data) ?? nil)))),
    error: { message: ({ schema }) => `must be ${typeNames(schema)}` },
  },
  ...Object.fromEntries(
    Object.entries(COMPARISONS).map(([bound, { words, fails }]) => [
      `exact_${bound}`,
      {
        code: (cxt: KeywordCxt) =>
          cxt.fail(_`${isNumber(cxt.data)} && ${cxt.data} ${fails} ${literal(cxt.schema)}`),
        error: { message: ({ schema }: { schema?: unknown }) => `must be ${words} ${schema}` },
      },
    ]),
  ),
  exact_multipleOf: {
    code: (cxt) => {
      const [big, divisor] = [new _Code(`${cxt.schema}n`), literal(cxt.schema)];
      cxt.fail(
        _`typeof ${cxt.data} === "bigint" ? ${cxt.data} % ${big} !== 0n : typeof ${cxt.data} === "number" && ${cxt.data} % ${divisor} !== 0`,
      );
    },
    error: { message: ({ schema }) => `must be a multiple of ${schema}` },
  },
  oneOfValues: {
    code: (cxt) => cxt.fail(not(or(...cxt.schema.map((value: string) => equals(cxt, value))))),
    error: { message: ({ schema }) => `must be one of ${schema.join(', ')}` },
  },
  onlyValue: {
    code: (cxt) => cxt.fail(not(equals(cxt, cxt.schema))),
    error: { message: ({ schema }) => `must be ${schema}` },
  },
  // A lone surrogate has no UTF-8, so DynamoDB could not store it.
  wellFormed: {
    type: 'string',
    code: (cxt) => cxt.fail(_`!${cxt.data}.isWellFormed()`),
    error: { message: 'must be well-formed Unicode, and it has a lone surrogate' },
  },
};

/** RFC 3339's full-date, leap years included: a function of ajv-formats would bring all of that module, 8 KB. */
const DATE =
  /^(?:\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8]))|(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)$/;

/** Code of ours for keywords of JSON Schema: linear, without modules of Ajv, and right where Ajv 8.20 is not. */
const CODE: Readonly<Record<string, (cxt: KeywordCxt) => void>> = {
  maxLength: (cxt) => {
    const { data, schema } = cxt;
    // A character has one or two units.
    cxt.fail(
      _`${data}.length > ${schema} && (${data}.length > ${2 * schema} || [...${data}].length > ${schema})`,
    );
  },
  minLength: (cxt) => {
    const { data, schema } = cxt;
    cxt.fail(_`${data}.length < ${2 * schema} && [...${data}].length < ${schema}`);
  },
  pattern: (cxt) => {
    const { data, schema, parentSchema } = cxt;
    const fails = _`!${usePattern(cxt, schema)}.test(${data})`;
    // A longer string is rejected already, and might cost much time.
    cxt.fail(
      'maxLength' in parentSchema ? _`${data}.length <= ${2 * parentSchema.maxLength} && ${fails}` : fails,
    );
  },
  multipleOf: (cxt) => {
    const { gen, data, schema } = cxt;
    cxt.fail(
      Number.isInteger(schema)
        ? _`${data} % ${schema} !== 0`
        : _`!${imported(gen, 'isMultipleOf')}(${data}, ${schema})`,
    );
  },
  uniqueItems: (cxt) => {
    if (cxt.schema) cxt.fail(_`!${imported(cxt.gen, 'areUnique')}(${cxt.data})`);
  },
  // Ajv's own accepts an empty array beside prefixItems, unless it looks for all errors.
  contains: (cxt) => {
    const { gen, data, parentSchema } = cxt;
    const { minContains = 1, maxContains = Number.MAX_SAFE_INTEGER } = parentSchema;
    const [count, valid] = [gen.let('count', 0), gen.name('valid')];
    gen.forRange('i', 0, _`${data}.length`, (dataProp) => {
      const item = { keyword: 'contains', dataProp, dataPropType: Type.Num, compositeRule: true } as const;
      cxt.subschema(item, valid);
      const add = () => gen.code(_`${count}++`);
      gen.if(valid, add, () => cxt.reset());
    });
    cxt.result(_`${count} >= ${minContains} && ${count} <= ${maxContains}`);
  },
  format: (cxt) => {
    const { gen, data, schema, parentSchema } = cxt;
    if (schema === 'int32') {
      const fails = _`typeof ${data} === "number" && ${data} !== (${data} | 0)`;
      const failsExact = _`typeof ${data} === "bigint" && BigInt.asIntN(32, ${data}) !== ${data}`;
      return cxt.fail(parentSchema.exact === true ? or(fails, failsExact) : fails);
    }
    const formats = { ...fullFormats, date: DATE };
    const format = Object.entries(formats).find(([name]) => name === schema)?.[1];
    const named = () => _`${imported(gen, 'fullFormats')}[${schema}]`;
    const test =
      format instanceof RegExp
        ? _`${gen.scopeValue('formats', { ref: format, code: new _Code(String(format)) })}.test`
        : typeof format === 'function'
          ? named()
          : _`${named()}.validate`;
    cxt.fail(_`typeof ${data} === "string" && !${test}(${data})`);
  },
};

/** Keywords that stop at the first wrong element, so that a large body does not cause as many errors. */
const LOOPS = ['items', 'contains', 'additionalProperties', 'patternProperties', 'propertyNames'];

/** Messages, and the property that an error is about unless it is the value itself (`at`). */
const ERRORS: Readonly<Record<string, { readonly message: Message; readonly at?: string }>> = {
  required: { message: 'is required', at: 'missingProperty' },
  dependentRequired: {
    message: ({ params: { property } }) => str`is required if ${property} is given`,
    at: 'missingProperty',
  },
  additionalProperties: { message: 'is not allowed', at: 'additionalProperty' },
  propertyNames: { message: 'has a name that propertyNames does not allow', at: 'propertyName' },
  minLength: { message: ({ schema }) => `must have at least ${counted(schema, 'character')}` },
  maxLength: { message: ({ schema }) => `must have at most ${counted(schema, 'character')}` },
  minItems: { message: ({ schema }) => `must have at least ${counted(schema, 'item')}` },
  maxItems: { message: ({ schema }) => `must have at most ${counted(schema, 'item')}` },
  minProperties: { message: ({ schema }) => `must have at least ${schema} properties` },
  maxProperties: { message: ({ schema }) => `must have at most ${schema} properties` },
  uniqueItems: { message: 'must have items that all differ' },
  contains: { message: containsMessage },
  pattern: { message: ({ schema }) => `must match the pattern ${schema}` },
  format: { message: ({ schema }) => `must have the format ${schema}` },
  multipleOf: { message: ({ schema }) => `must be a multiple of ${schema}` },
  ...Object.fromEntries(
    Object.entries(COMPARISONS).map(([bound, { words }]) => [
      bound,
      { message: ({ schema }: { schema?: unknown }) => `must be ${words} ${schema}` },
    ]),
  ),
  anyOf: { message: 'must match a schema of anyOf' },
  oneOf: { message: 'must match exactly one schema of oneOf' },
  not: { message: 'must not match the schema of not' },
  if: { message: ({ params: { ifClause } }) => str`must match the schema of ${ifClause}` },
};

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function containsMessage({ parentSchema }: { parentSchema?: AnySchemaObject }): string {
  const { minContains = 1, maxContains } = parentSchema ?? {};
  const atMost = maxContains === undefined ? '' : ` and at most ${maxContains}`;
  return `must have at least ${minContains}${atMost} of the items that contains describes`;
}

/** A definition of Ajv with our code and error, as far as there are any. */
function replaced(keyword: string, definition: KeywordDefinition): Partial<CodeKeywordDefinition> {
  const code = CODE[keyword] ?? ('code' in definition ? definition.code : undefined);
  const { message, at } = ERRORS[keyword] ?? {};
  return {
    ...(message === undefined
      ? {}
      : { error: { message, params: ({ params }) => (at === undefined ? _`{}` : _`{at: ${params[at]}}`) } }),
    ...(code === undefined
      ? {}
      : { code: LOOPS.includes(keyword) ? (cxt: KeywordCxt) => code(untilFirstError(cxt)) : code }),
  };
}

function untilFirstError(cxt: KeywordCxt): KeywordCxt {
  return Object.assign(Object.create(cxt), { it: { ...cxt.it, allErrors: false, compositeRule: true } });
}
