import {
  _,
  Ajv2020,
  type Code,
  type KeywordCxt,
  type KeywordErrorDefinition,
  type Name,
} from 'ajv/dist/2020.js';
import { _Code } from 'ajv/dist/compile/codegen/code.js';
import { not, or } from 'ajv/dist/compile/codegen/index.js';
import { isJSONType } from 'ajv/dist/compile/rules.js';
import { Type } from 'ajv/dist/compile/util.js';
import { checkDataType } from 'ajv/dist/compile/validate/dataType.js';
import standalone from 'ajv/dist/standalone/index.js';
import { usePattern } from 'ajv/dist/vocabularies/code.js';
import { FORMATS } from './formats.ts';
import type { Schema } from './schema.ts';

/** Each error takes time. An error in a response takes at least 10 of its 1,000 characters. */
const MAX_ITEM_ERRORS = 100;
type Message = KeywordErrorDefinition['message'];
/** `fails` returns a condition that is true if the value is invalid. */
type Keyword = [fails: (cxt: KeywordCxt) => Code, message: Message];

const TYPE_NAMES: Readonly<Record<string, string>> = {
  int64: `an integer from ${-(2n ** 63n)} to ${2n ** 63n - 1n}`,
  int32: `an integer from ${-(2 ** 31)} to ${2 ** 31 - 1}`,
  integer: 'an integer',
  number: 'a number',
  string: 'a string',
  boolean: 'a boolean',
  array: 'an array',
  object: 'an object',
};

/** The keywords that Ajv does not have, or that it does not check for bigints or without imports. */
const OURS: Readonly<Record<string, Keyword>> = {
  types: [
    ({ data, schema }) => not(or(...schema.map((type: string) => isOfType(data, type)))),
    ({ schema }) =>
      `must be ${schema.map((type: string) => TYPE_NAMES[type] ?? type).join(' or ')}`,
  ],
  minimum: bound('at least', _`<`),
  maximum: bound('at most', _`>`),
  exclusiveMinimum: bound('greater than', _`<=`),
  exclusiveMaximum: bound('less than', _`>=`),
  enum: [
    ({ data, schema }) => not(or(...schema.map((value: unknown) => equals(data, value)))),
    ({ schema }) =>
      `must be one of ${schema.map((value: unknown) => JSON.stringify(value)).join(', ')}`,
  ],
  const: [
    ({ data, schema }) => not(equals(data, schema)),
    ({ schema }) => `must be ${JSON.stringify(schema)}`,
  ],
  // A lone surrogate cannot be encoded in UTF-8, so DynamoDB cannot store it.
  wellFormed: [
    ({ data }) => _`!${data}.isWellFormed()`,
    'must be well-formed Unicode, without lone surrogates',
  ],
  maxLength: [
    ({ data, schema }) => _`[...${data}].length > ${schema}`,
    lengthMessage('at most', 'character'),
  ],
  minLength: [
    ({ data, schema }) => _`[...${data}].length < ${schema}`,
    lengthMessage('at least', 'character'),
  ],
  pattern: [
    // maxLength rejects longer strings, on which the pattern could take too long.
    (cxt) =>
      _`[...${cxt.data}].length <= ${cxt.parentSchema.maxLength} && !${usePattern(cxt, cxt.schema)}.test(${cxt.data})`,
    ({ schema }) => `must match the pattern ${schema}`,
  ],
};

const FOR_STRINGS = ['wellFormed', 'maxLength', 'minLength', 'pattern'];

/** The errors of Ajv's own keywords. Those about a property have its name in `at`. */
const ERRORS: Readonly<Record<string, KeywordErrorDefinition>> = {
  required: { message: 'is required', params: ({ params }) => _`{at: ${params.missingProperty}}` },
  additionalProperties: {
    message: 'is not allowed',
    params: ({ params }) => _`{at: ${params.additionalProperty}}`,
  },
  format: { message: ({ schema }) => `must have the format ${schema}` },
  minItems: { message: lengthMessage('at least', 'item') },
  maxItems: { message: lengthMessage('at most', 'item') },
  anyOf: { message: 'must match at least one schema under "anyOf"' },
  oneOf: { message: 'must match exactly one schema under "oneOf"' },
};

/** Shared by all operations, because Ajv compiles the schema of schemas only once. */
const JSON_SCHEMA = new Ajv2020({ strict: false });

/**
 * Returns the code of a module that validates events with this body (docs/decisions.md#a-validator-from-the-contract).
 *
 * @throws Error if a keyword's value is invalid
 */
export function validatorCode(body: Schema): string {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    ownProperties: true,
    validateSchema: false,
    formats: FORMATS,
    code: { source: true, esm: true, lines: true },
  });
  // Ajv2020 always enables these options, which add code to every function.
  Object.assign(ajv.opts, { unevaluated: false, dynamicRef: false });
  for (const [keyword, [fails, message]] of Object.entries(OURS)) {
    const code = (cxt: KeywordCxt) => cxt.fail(fails(cxt));
    const type: 'string'[] = FOR_STRINGS.includes(keyword) ? ['string'] : [];
    ajv.removeKeyword(keyword).addKeyword({ keyword, type, code, error: { message } });
  }
  for (const [keyword, error] of Object.entries(ERRORS)) {
    const definition = ajv.getKeyword(keyword);
    // Reports missing properties first.
    const before = keyword === 'required' && { before: 'properties' };
    ajv
      .removeKeyword(keyword)
      .addKeyword({ ...(typeof definition === 'object' && definition), ...before, keyword, error });
  }
  ajv.removeKeyword('items').addKeyword({ keyword: 'items', type: 'array', code: checkItems });
  const event = { types: ['object'], required: ['body'], properties: { body } };
  void JSON_SCHEMA.validateSchema(event, true);
  return standalone.default(ajv, ajv.compile(event));
}

function isOfType(data: Name, type: string): Code {
  if (isJSONType(type)) return checkDataType(type, data, true);
  if (type === 'int64') return _`typeof ${data} === "bigint"`;
  return _`typeof ${data} === "number" && ${data} === (${data} | 0)`;
}

/** Checks the items of an array until they have so many errors that a response cannot list more. */
function checkItems(cxt: KeywordCxt): void {
  const { gen, data } = cxt;
  const errors = _`errors`; // Ajv's own counter
  const before = gen.const('before', errors);
  gen.forRange('at', 0, _`${data}.length`, (at) => {
    cxt.subschema({ keyword: 'items', dataProp: at, dataPropType: Type.Num }, gen.name('valid'));
    gen.if(_`${errors} - ${before} >= ${MAX_ITEM_ERRORS}`, () => gen.break());
  });
}

function bound(words: string, fails: Code): Keyword {
  return [
    ({ data, schema }) =>
      _`(typeof ${data} === "number" || typeof ${data} === "bigint") && ${data} ${fails} ${codeOf(schema)}`,
    ({ schema }) => `must be ${words} ${JSON.stringify(schema)}`,
  ];
}

/** Returns code that compares a value, which may be a bigint, with a string, number, bigint, boolean or null. */
function equals(data: Name, value: unknown): Code {
  const isEqual = _`${data} === ${codeOf(value)}`;
  return Number.isSafeInteger(value) ? or(isEqual, _`${data} === ${codeOf(value, true)}`) : isEqual;
}

/** Returns the code of a scalar. */
function codeOf(value: unknown, isBigint = false): Code {
  return new _Code(`${JSON.stringify(value)}${isBigint ? 'n' : ''}`);
}

function lengthMessage(must: string, noun: string): Message {
  return ({ schema }) => `must have ${must} ${schema} ${noun}${schema === 1 ? '' : 's'}`;
}
