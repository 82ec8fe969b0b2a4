import {
  _,
  Ajv2020,
  type Code,
  type CodeKeywordDefinition,
  type KeywordCxt,
  type KeywordDefinition,
  type Name,
  str,
} from 'ajv/dist/2020.js';
import { _Code } from 'ajv/dist/compile/codegen/code.js';
import { not, or } from 'ajv/dist/compile/codegen/index.js';
import type { JSONType } from 'ajv/dist/compile/rules.js';
import { Type } from 'ajv/dist/compile/util.js';
import { checkDataType } from 'ajv/dist/compile/validate/dataType.js';
import { usePattern } from 'ajv/dist/vocabularies/code.js';
import { failsFormat } from './formats.ts';
import { imported } from './validator-imports.ts';

/** Changes how Ajv handles a JSON Schema keyword, or defines a keyword that only `compilableSchema` uses. */
interface Keyword {
  /** Returns a condition that is true if the value is invalid. It takes linear time and imports nothing from Ajv. */
  readonly fails?: (cxt: KeywordCxt) => Code;
  readonly message: NonNullable<CodeKeywordDefinition['error']>['message'];
  /**
   * For a keyword that reports an invalid property instead of the value itself: the name of Ajv's parameter that
   * contains the property's name.
   */
  readonly at?: string;
  readonly type?: 'string';
  /** If set, overrides Ajv's option `allErrors`; false limits the number of errors that a large body can cause. */
  readonly allErrors?: boolean;
}

/** Compiles what `compilableSchema` returns, with our messages instead of Ajv's. */
export class ContractAjv extends Ajv2020 {
  constructor({ ownProperties }: { ownProperties: boolean }) {
    super({
      allErrors: true,
      strict: false,
      ownProperties,
      // `schemaAt` has already checked the contract.
      meta: false,
      validateSchema: false,
      validateFormats: false,
      code: { source: true, esm: true, lines: true },
    });
    // Ajv2020 always enables these options, which add code to every function.
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
  const { fails, message, at, allErrors } = own;
  const ajvs = 'code' in definition ? definition.code : undefined;
  const code = fails === undefined ? ajvs : (cxt: KeywordCxt) => cxt.fail(fails(cxt));
  return {
    // Ajv checks `format` only on strings and numbers; an empty array makes it check bigints too.
    ...(keyword === 'format' && { type: [] }),
    error: {
      message,
      params: ({ params, it }) => {
        const property = at === undefined ? it.propertyName : params[at];
        return property === undefined ? _`{}` : _`{at: ${property}}`;
      },
    },
    ...(code && { code: (cxt) => code(allErrors === undefined ? cxt : reporting(allErrors, cxt)) }),
  };
}

function reporting(allErrors: boolean, cxt: KeywordCxt): KeywordCxt {
  const it = { ...cxt.it, allErrors, compositeRule: !allErrors || (cxt.it.compositeRule ?? false) };
  return Object.assign(Object.create(cxt), { it, allErrors: allErrors || cxt.allErrors });
}

/** The names of types in messages. */
const TYPE_NAMES: Readonly<Record<string, string>> = {
  int64: `an integer from ${-(2n ** 63n)} to ${2n ** 63n - 1n}`,
  integer: 'an integer',
  number: 'a number',
  string: 'a string',
  boolean: 'a boolean',
  array: 'an array',
  object: 'an object',
};

/** Returns the names of types for a message, for example `a string or null`. */
export function typeNames(types: readonly string[]): string {
  return types.map((type) => TYPE_NAMES[type] ?? type).join(' or ');
}

/** Returns code that checks whether a value, which may be a bigint, has a type. */
function isOfType(data: Name, type: JSONType | 'int64'): Code {
  const isBigint = _`typeof ${data} === "bigint"`;
  if (type === 'int64') return isBigint;
  const isOfAjvs = checkDataType(type, data, true);
  return type === 'integer' || type === 'number' ? or(isBigint, isOfAjvs) : isOfAjvs;
}

const KEYWORDS: Readonly<Record<string, Keyword>> = {
  numericType: {
    fails: ({ data, schema }) => not(or(...schema.map((type: JSONType | 'int64') => isOfType(data, type)))),
    message: ({ schema }) => `must be ${typeNames(schema)}`,
  },
  exact_minimum: bound('at least', _`<`),
  exact_maximum: bound('at most', _`>`),
  exact_exclusiveMinimum: bound('greater than', _`<=`),
  exact_exclusiveMaximum: bound('less than', _`>=`),
  exact_multipleOf: {
    fails: ({ gen, data, schema }) => {
      const isNumber = _`typeof ${data} === "number"`;
      if (!isInteger(schema)) {
        return _`${isNumber} && !${imported(gen, 'isMultipleOf')}(${data}, ${Number(schema)})`;
      }
      const fails = _`${isNumber} && ${data} % ${Number(schema)} !== 0`;
      return or(_`typeof ${data} === "bigint" && ${data} % ${new _Code(`${schema}n`)} !== 0n`, fails);
    },
    message: ({ schema }) => `must be a multiple of ${schema}`,
  },
  oneOfValues: {
    fails: (cxt) => not(or(_`false`, ...cxt.schema.map((value: string) => equals(cxt, value)))),
    message: ({ schema }) => (schema.length === 0 ? 'is not allowed' : `must be one of ${schema.join(', ')}`),
  },
  onlyValue: {
    fails: (cxt) => not(equals(cxt, cxt.schema)),
    message: ({ schema }) => `must be ${schema}`,
  },
  // A lone surrogate cannot be encoded in UTF-8, so DynamoDB cannot store it.
  wellFormed: {
    type: 'string',
    fails: ({ data }) => _`!${data}.isWellFormed()`,
    message: 'must be well-formed Unicode, without lone surrogates',
  },
  // A character has one or two UTF-16 code units.
  maxLength: {
    fails: ({ data, schema: most }) =>
      _`${data}.length > ${most} && (${data}.length > ${2 * most} || [...${data}].length > ${most})`,
    message: counted('must have at most', 'character'),
  },
  minLength: {
    fails: ({ data, schema: least }) => _`${data}.length < ${2 * least} && [...${data}].length < ${least}`,
    message: counted('must have at least', 'character'),
  },
  pattern: {
    fails: (cxt) => {
      const { data, schema, parentSchema } = cxt;
      const fails = _`!${usePattern(cxt, schema)}.test(${data})`;
      // maxLength already rejects longer strings, on which the pattern could take too long.
      const limit = parentSchema.maxLength;
      return limit === undefined ? fails : _`${data}.length <= ${2 * limit} && ${fails}`;
    },
    message: ({ schema }) => `must match the pattern ${schema}`,
  },
  format: { fails: failsFormat, message: ({ schema }) => `must have the format ${schema}` },
  required: { message: 'is required', at: 'missingProperty' },
  dependentRequired: {
    message: ({ params: { property } }) => str`is required if ${property} is given`,
    at: 'missingProperty',
  },
  // The schemas in prefixItems report the errors. Without `allErrors`, Ajv 8.20 skips the keywords after prefixItems as
  // soon as there is an error.
  prefixItems: { message: '', allErrors: true },
  patternProperties: { message: '', allErrors: false },
  items: {
    message: ({ schema, parentSchema: { prefixItems = [] } = {} }) =>
      schema === false
        ? `must have at most ${prefixItems.length} ${prefixItems.length === 1 ? 'item' : 'items'}`
        : '',
    allErrors: false,
  },
  additionalProperties: { message: 'is not allowed', at: 'additionalProperty', allErrors: false },
  propertyNames: {
    message: 'has a name that "propertyNames" does not allow',
    at: 'propertyName',
    allErrors: false,
  },
  minProperties: { message: counted('must have at least', 'property', 'properties') },
  maxProperties: { message: counted('must have at most', 'property', 'properties') },
  minItems: { message: counted('must have at least', 'item') },
  maxItems: { message: counted('must have at most', 'item') },
  uniqueItems: {
    fails: ({ gen, data, schema }) => (schema ? _`!${imported(gen, 'areUnique')}(${data})` : _`false`),
    message: 'must have unique items',
  },
  contains: {
    fails: failsContains,
    message: ({ parentSchema: { minContains = 1, maxContains } = {} }) => {
      const atMost = maxContains === undefined ? '' : ` and at most ${maxContains}`;
      const noun = (maxContains ?? minContains) === 1 ? 'item' : 'items';
      return `must have at least ${minContains}${atMost} ${noun} matching the schema under "contains"`;
    },
    allErrors: false,
  },
  anyOf: { message: 'must match at least one schema under "anyOf"' },
  oneOf: { message: 'must match exactly one schema under "oneOf"' },
  not: { message: 'must not match the schema under "not"' },
  if: { message: ({ params: { ifClause } }) => str`must match the schema under "${ifClause}"` },
};

function counted(must: string, singular: string, plural = `${singular}s`): Keyword['message'] {
  return ({ schema }) => `${must} ${schema} ${schema === 1 ? singular : plural}`;
}

/** Returns a keyword that compares a number or bigint with a limit. The limit is a string, to keep all its digits. */
function bound(words: string, fails: Code): Keyword {
  return {
    fails: ({ data, schema }) => {
      const isNumber = _`(typeof ${data} === "number" || typeof ${data} === "bigint")`;
      return _`${isNumber} && ${data} ${fails} ${literal(schema)}`;
    },
    message: ({ schema }) => `must be ${words} ${schema}`,
  };
}

/** Replaces Ajv's code: without `allErrors`, Ajv accepts an empty array if the schema also has prefixItems. */
function failsContains(cxt: KeywordCxt): Code {
  const { minContains = 1, maxContains = Number.MAX_SAFE_INTEGER } = cxt.parentSchema;
  const [count, valid] = [cxt.gen.let('count', 0), cxt.gen.name('valid')];
  cxt.gen.forRange('i', 0, _`${cxt.data}.length`, (dataProp) => {
    const item = { keyword: 'contains', dataProp, dataPropType: Type.Num, compositeRule: true } as const;
    cxt.subschema(item, valid);
    const add = () => cxt.gen.code(_`${count}++`);
    cxt.gen.if(valid, add, () => cxt.reset());
  });
  return _`${count} < ${minContains} || ${count} > ${maxContains}`;
}

/** Returns a literal for a number. If a double cannot hold the number, the literal is a bigint. */
function literal(number: string): Code {
  return new _Code(isInteger(number) && !Number.isSafeInteger(Number(number)) ? `${number}n` : number);
}

function isInteger(number: string): boolean {
  return /^-?\d+$/.test(number);
}

/** Returns code that checks whether the data equals a value, which is given in its canonical form. */
function equals({ gen, data }: KeywordCxt, value: string): Code {
  if (/^[[{]/.test(value)) return _`${imported(gen, 'canonical')}(${data}) === ${value}`;
  const same = _`${data} === ${new _Code(value)}`;
  return isInteger(value) ? or(same, _`${data} === ${new _Code(`${value}n`)}`) : same;
}
