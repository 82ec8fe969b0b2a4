import {
  _,
  Ajv2020,
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

/** What is ours of a keyword: of JSON Schema, or one that `compilableSchema` gives. */
interface Keyword {
  /** Linear, without modules of Ajv, and right where Ajv 8.20 is not. */
  readonly code?: CodeKeywordDefinition['code'];
  readonly message: NonNullable<CodeKeywordDefinition['error']>['message'];
  /** Ajv's name of the property that an error is about, unless it is about the value itself. */
  readonly at?: string;
  readonly type?: 'string';
  /** Stops at the first wrong element, so that a large body does not cause as many errors. */
  readonly stopsAtFirst?: boolean;
}

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
    for (const [keyword, { type }] of Object.entries(KEYWORDS)) {
      if (this.getKeyword(keyword) === false) this.addKeyword({ keyword, ...(type ? { type } : {}) });
    }
  }

  override addKeyword(definition: string | KeywordDefinition): this {
    if (typeof definition === 'string') super.addKeyword(definition);
    else {
      for (const keyword of [definition.keyword].flat()) {
        super.addKeyword({ ...definition, ...ours(keyword, definition), keyword });
      }
    }
    return this;
  }
}

function ours(keyword: string, definition: KeywordDefinition): Partial<CodeKeywordDefinition> {
  const own = KEYWORDS[keyword];
  if (own === undefined) return {};
  const { message, at, stopsAtFirst } = own;
  const code = own.code ?? ('code' in definition ? definition.code : undefined);
  return {
    error: { message, params: ({ params }) => (at === undefined ? _`{}` : _`{at: ${params[at]}}`) },
    ...(code && { code: (cxt, type) => code(stopsAtFirst ? untilFirstError(cxt) : cxt, type) }),
  };
}

function untilFirstError(cxt: KeywordCxt): KeywordCxt {
  return Object.assign(Object.create(cxt), { it: { ...cxt.it, allErrors: false, compositeRule: true } });
}

/** How messages name a type, and the test of a value that may be a bigint. */
const TYPES: Readonly<Record<string, { readonly name: string; readonly test: (data: Code) => Code }>> = {
  int64: {
    name: `an integer from ${-(2n ** 63n)} to ${2n ** 63n - 1n}`,
    test: (data) => _`typeof ${data} === "bigint"`,
  },
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

/** RFC 3339's full-date, leap years included: a function of ajv-formats would bring all of that module, 8 KB. */
const DATE =
  /^(?:\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8]))|(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)$/;

const KEYWORDS: Readonly<Record<string, Keyword>> = {
  numericType: {
    code: (cxt) => cxt.fail(not(or(...cxt.schema.map((type: string) => TYPES[type]?.test(cxt.data) ?? nil)))),
    message: ({ schema }) => `must be ${typeNames(schema)}`,
  },
  exact_minimum: bound('at least', _`<`),
  exact_maximum: bound('at most', _`>`),
  exact_exclusiveMinimum: bound('greater than', _`<=`),
  exact_exclusiveMaximum: bound('less than', _`>=`),
  exact_multipleOf: {
    code: (cxt) => {
      const { gen, data, schema } = cxt;
      if (!isInteger(schema)) {
        return cxt.fail(
          _`typeof ${data} === "number" && !${imported(gen, 'isMultipleOf')}(${data}, ${Number(schema)})`,
        );
      }
      const [big, divisor] = [new _Code(`${schema}n`), literal(schema)];
      cxt.fail(
        _`typeof ${data} === "bigint" ? ${data} % ${big} !== 0n : typeof ${data} === "number" && ${data} % ${divisor} !== 0`,
      );
    },
    message: ({ schema }) => `must be a multiple of ${schema}`,
  },
  oneOfValues: {
    code: (cxt) => cxt.fail(not(or(_`false`, ...cxt.schema.map((value: string) => equals(cxt, value))))),
    message: ({ schema }) => `must be one of ${schema.join(', ')}`,
  },
  onlyValue: {
    code: (cxt) => cxt.fail(not(equals(cxt, cxt.schema))),
    message: ({ schema }) => `must be ${schema}`,
  },
  // A lone surrogate has no UTF-8, so DynamoDB could not store it.
  wellFormed: {
    type: 'string',
    code: (cxt) => cxt.fail(_`!${cxt.data}.isWellFormed()`),
    message: 'must be well-formed Unicode, and it has a lone surrogate',
  },
  maxLength: {
    code: (cxt) => {
      const { data, schema } = cxt;
      // A character has one or two units.
      cxt.fail(
        _`${data}.length > ${schema} && (${data}.length > ${2 * schema} || [...${data}].length > ${schema})`,
      );
    },
    message: ({ schema }) => `must have at most ${counted(schema, 'character')}`,
  },
  minLength: {
    code: (cxt) => {
      const { data, schema } = cxt;
      cxt.fail(_`${data}.length < ${2 * schema} && [...${data}].length < ${schema}`);
    },
    message: ({ schema }) => `must have at least ${counted(schema, 'character')}`,
  },
  pattern: {
    code: (cxt) => {
      const { data, schema, parentSchema } = cxt;
      const fails = _`!${usePattern(cxt, schema)}.test(${data})`;
      // A longer string is rejected already, and might cost much time.
      const limit = parentSchema.maxLength;
      cxt.fail(limit === undefined ? fails : _`${data}.length <= ${2 * limit} && ${fails}`);
    },
    message: ({ schema }) => `must match the pattern ${schema}`,
  },
  format: {
    code: (cxt) => {
      const { gen, data, schema } = cxt;
      if (schema === 'int32') {
        return cxt.fail(
          _`typeof ${data} === "bigint" ? BigInt.asIntN(32, ${data}) !== ${data} : typeof ${data} === "number" && ${data} !== (${data} | 0)`,
        );
      }
      const format = new Map(Object.entries({ ...fullFormats, date: DATE })).get(schema);
      const named = () => _`${imported(gen, 'fullFormats')}[${schema}]`;
      const test =
        format instanceof RegExp
          ? _`${gen.scopeValue('formats', { ref: format, code: new _Code(String(format)) })}.test`
          : typeof format === 'function'
            ? named()
            : _`${named()}.validate`;
      cxt.fail(_`typeof ${data} === "string" && !${test}(${data})`);
    },
    message: ({ schema }) => `must have the format ${schema}`,
  },
  required: { message: 'is required', at: 'missingProperty' },
  dependentRequired: {
    message: ({ params: { property } }) => str`is required if ${property} is given`,
    at: 'missingProperty',
  },
  patternProperties: { message: '', stopsAtFirst: true },
  additionalProperties: { message: 'is not allowed', at: 'additionalProperty', stopsAtFirst: true },
  propertyNames: {
    message: 'has a name that propertyNames does not allow',
    at: 'propertyName',
    stopsAtFirst: true,
  },
  minProperties: { message: ({ schema }) => `must have at least ${schema} properties` },
  maxProperties: { message: ({ schema }) => `must have at most ${schema} properties` },
  items: { message: '', stopsAtFirst: true },
  minItems: { message: ({ schema }) => `must have at least ${counted(schema, 'item')}` },
  maxItems: { message: ({ schema }) => `must have at most ${counted(schema, 'item')}` },
  uniqueItems: {
    code: (cxt) => {
      if (cxt.schema) cxt.fail(_`!${imported(cxt.gen, 'areUnique')}(${cxt.data})`);
    },
    message: 'must have items that all differ',
  },
  // Ajv's own accepts an empty array beside prefixItems, unless it looks for all errors.
  contains: {
    code: (cxt) => {
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
    message: ({ parentSchema: { minContains = 1, maxContains } = {} }) => {
      const atMost = maxContains === undefined ? '' : ` and at most ${maxContains}`;
      return `must have at least ${minContains}${atMost} of the items that contains describes`;
    },
    stopsAtFirst: true,
  },
  anyOf: { message: 'must match a schema of anyOf' },
  oneOf: { message: 'must match exactly one schema of oneOf' },
  not: { message: 'must not match the schema of not' },
  if: { message: ({ params: { ifClause } }) => str`must match the schema of ${ifClause}` },
};

/** A keyword that compares a number, or a bigint, with the one whose digits are its value. */
function bound(words: string, fails: Code): Keyword {
  return {
    code: (cxt) => {
      const { data, schema } = cxt;
      const isNumber = _`(typeof ${data} === "number" || typeof ${data} === "bigint")`;
      cxt.fail(_`${isNumber} && ${data} ${fails} ${literal(schema)}`);
    },
    message: ({ schema }) => `must be ${words} ${schema}`,
  };
}

/** Integers that a double cannot hold are written as bigints, which JavaScript compares with numbers too. */
function literal(number: string): Code {
  return new _Code(isInteger(number) && !Number.isSafeInteger(Number(number)) ? `${number}n` : number);
}

function isInteger(number: string): boolean {
  return /^-?\d+$/.test(number);
}

/** Whether the data is a value of enum or const, which is in its canonical form. */
function equals({ gen, data }: KeywordCxt, value: string): Code {
  if (/^[[{]/.test(value)) return _`${imported(gen, 'canonical')}(${data}) === ${value}`;
  const same = _`${data} === ${new _Code(value)}`;
  return isInteger(value) ? or(same, _`${data} === ${new _Code(`${value}n`)}`) : same;
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

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
