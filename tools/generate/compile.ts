import {
  _,
  Ajv2020,
  type Code,
  type CodeKeywordDefinition,
  type KeywordCxt,
  type Name,
} from 'ajv/dist/2020.js';
import { _Code, safeStringify } from 'ajv/dist/compile/codegen/code.js';
import { not, or } from 'ajv/dist/compile/codegen/index.js';
import { isJSONType } from 'ajv/dist/compile/rules.js';
import { Type } from 'ajv/dist/compile/util.js';
import { checkDataType } from 'ajv/dist/compile/validate/dataType.js';
import standalone from 'ajv/dist/standalone/index.js';
import { usePattern } from 'ajv/dist/vocabularies/code.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import type { Schema } from './schema.ts';

type Message = NonNullable<CodeKeywordDefinition['error']>['message'];
/** Each error takes time. An error in a response takes at least 10 of its 1,000 characters. */
const MAX_ITEM_ERRORS = 100;
/** Returns a condition that is true if the value is invalid. */
type Fails = (cxt: KeywordCxt) => Code;

/** The names of types in messages. */
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
const OURS: Readonly<Record<string, [type: 'string' | undefined, fails: Fails, message: Message]>> = {
  types: [
    undefined,
    ({ data, schema }) => not(or(...schema.map((type: string) => isOfType(data, type)))),
    ({ schema }) => `must be ${schema.map((type: string) => TYPE_NAMES[type] ?? type).join(' or ')}`,
  ],
  minimum: bound('at least', _`<`),
  maximum: bound('at most', _`>`),
  exclusiveMinimum: bound('greater than', _`<=`),
  exclusiveMaximum: bound('less than', _`>=`),
  multipleOf: [
    undefined,
    ({ data, schema }) =>
      or(
        _`typeof ${data} === "bigint" && ${data} % ${new _Code(`${textOf(schema)}n`)} !== 0n`,
        _`typeof ${data} === "number" && ${data} % ${new _Code(textOf(schema))} !== 0`,
      ),
    ({ schema }) => `must be a multiple of ${textOf(schema)}`,
  ],
  enum: [
    undefined,
    ({ data, schema }) => not(or(...schema.map((value: unknown) => equals(data, value)))),
    ({ schema }) => `must be one of ${schema.map(textOf).join(', ')}`,
  ],
  const: [
    undefined,
    ({ data, schema }) => not(equals(data, schema)),
    ({ schema }) => `must be ${textOf(schema)}`,
  ],
  // A lone surrogate cannot be encoded in UTF-8, so DynamoDB cannot store it.
  wellFormed: [
    'string',
    ({ data }) => _`!${data}.isWellFormed()`,
    'must be well-formed Unicode, without lone surrogates',
  ],
  maxLength: [
    'string',
    ({ data, schema }) => _`[...${data}].length > ${schema}`,
    counted('at most', 'character'),
  ],
  minLength: [
    'string',
    ({ data, schema }) => _`[...${data}].length < ${schema}`,
    counted('at least', 'character'),
  ],
  pattern: [
    'string',
    // maxLength rejects longer strings, on which the pattern could take too long. A character has 1 or 2 code units.
    (cxt) =>
      _`${cxt.data}.length <= ${2 * cxt.parentSchema.maxLength} && !${usePattern(cxt, cxt.schema)}.test(${cxt.data})`,
    ({ schema }) => `must match the pattern ${schema}`,
  ],
};

/** The messages of Ajv's own keywords and, if the message is about a property, the parameter with its name. */
const MESSAGES: Readonly<Record<string, [message: Message, at?: string]>> = {
  required: ['is required', 'missingProperty'],
  additionalProperties: ['is not allowed', 'additionalProperty'],
  format: [({ schema }) => `must have the format ${schema}`],
  minItems: [counted('at least', 'item')],
  maxItems: [counted('at most', 'item')],
  minProperties: [counted('at least', 'property', 'properties')],
  maxProperties: [counted('at most', 'property', 'properties')],
  anyOf: ['must match at least one schema under "anyOf"'],
  oneOf: ['must match exactly one schema under "oneOf"'],
};

/** The formats in ajv-formats for these names, except that `uuid` rejects `urn:uuid:`. */
const FORMATS: Readonly<Record<string, RegExp>> = {
  uuid: /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i,
  email: fullFormats.email instanceof RegExp ? fullFormats.email : /@/,
  // RFC 3339, with leap years, but without leap seconds.
  date: /^(?:\d{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8]))|(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)$/,
  get 'date-time'() {
    const time = /T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
    return new RegExp(`${FORMATS.date?.source.slice(0, -1)}${time.source}`, 'i');
  },
};

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
  for (const [keyword, [type, fails, message]] of Object.entries(OURS)) {
    const code = (cxt: KeywordCxt) => cxt.fail(fails(cxt));
    ajv.removeKeyword(keyword).addKeyword({ keyword, ...(type && { type }), code, error: errorOf(message) });
  }
  for (const [keyword, [message, at]] of Object.entries(MESSAGES)) {
    const definition = Object(ajv.getKeyword(keyword));
    // Reports missing properties first.
    const before = keyword === 'required' && { before: 'properties' };
    ajv.removeKeyword(keyword).addKeyword({ ...definition, ...before, keyword, error: errorOf(message, at) });
  }
  ajv.removeKeyword('items').addKeyword({ keyword: 'items', type: 'array', code: checkItems });
  const event = { types: ['object'], required: ['body'], properties: { body } };
  const written = (bigintAs: (value: bigint) => unknown) =>
    JSON.parse(JSON.stringify(event, (_, each) => (typeof each === 'bigint' ? bigintAs(each) : each)));
  ajv.validateSchema(written(Number), true);
  return standalone.default(ajv, ajv.compile(written((value) => ({ digits: `${value}` }))));
}

function errorOf(message: Message, at = ''): NonNullable<CodeKeywordDefinition['error']> {
  return { message, params: ({ params }) => (at === '' ? _`{}` : _`{at: ${params[at]}}`) };
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

/** Returns a keyword that compares a number or bigint with a limit. */
function bound(words: string, fails: Code): (typeof OURS)[string] {
  return [
    undefined,
    ({ data, schema }) =>
      _`(typeof ${data} === "number" || typeof ${data} === "bigint") && ${data} ${fails} ${codeOf(schema)}`,
    ({ schema }) => `must be ${words} ${textOf(schema)}`,
  ];
}

/** Returns code that compares a value, which may be a bigint, with a string, number, bigint, boolean or null. */
function equals(data: Name, value: unknown): Code {
  const isEqual = _`${data} === ${codeOf(value)}`;
  return Number.isSafeInteger(value) ? or(isEqual, _`${data} === ${new _Code(`${value}n`)}`) : isEqual;
}

/** JSON has no bigints, so `validatorCode` writes them as objects, which `enum` and `const` cannot contain otherwise. */
function isBigint(value: unknown): value is { digits: string } {
  return typeof value === 'object' && value !== null;
}

function textOf(value: unknown): string {
  return isBigint(value) ? value.digits : JSON.stringify(value);
}

function codeOf(value: unknown): Code {
  return new _Code(isBigint(value) ? `${value.digits}n` : safeStringify(value));
}

function counted(must: string, noun: string, plural = `${noun}s`): Message {
  return ({ schema }) => `must have ${must} ${schema} ${schema === 1 ? noun : plural}`;
}
