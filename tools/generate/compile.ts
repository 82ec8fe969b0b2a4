import { _, Ajv, type Code, type KeywordCxt, type KeywordErrorDefinition, type Name } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import type { Schema } from './schema.ts';
import { FORMATS } from './string-formats.ts';

type Message = KeywordErrorDefinition['message'];
/** `fails` returns a condition that is true if the value is invalid. */
type Keyword = [fails: (cxt: KeywordCxt) => Code, message: Message];

/** What messages call each type, and the condition that a value has it. */
const TYPES = {
  int64: [`an integer from ${-(2n ** 63n)} to ${2n ** 63n - 1n}`, typeOf('bigint')],
  int32: [
    `an integer from ${-(2 ** 31)} to ${2 ** 31 - 1}`,
    (data) => _`Number.isInteger(${data}) && ${data} === (${data} | 0)`,
  ],
  integer: ['an integer', (data) => _`Number.isInteger(${data})`],
  number: ['a number', (data) => _`Number.isFinite(${data})`],
  string: ['a string', typeOf('string')],
  boolean: ['a boolean', typeOf('boolean')],
  null: ['null', (data) => _`${data} === null`],
  array: ['an array', (data) => _`Array.isArray(${data})`],
  object: [
    'an object',
    (data) => _`typeof ${data} === "object" && ${data} !== null && !Array.isArray(${data})`,
  ],
} satisfies Record<string, [words: string, condition: (data: Name) => Code]>;
type Type = keyof typeof TYPES;

/** The keywords that Ajv does not have, or that it does not check for bigints or without imports. */
const OURS: Readonly<Record<string, Keyword>> = {
  types: [
    ({ data, schema }) => _`!(${isOfType(data, schema)})`,
    ({ schema }) => `must be ${schema.map((type: Type) => TYPES[type][0]).join(' or ')}`,
  ],
  minimum: bound('at least', _`<`),
  maximum: bound('at most', _`>`),
  exclusiveMinimum: bound('greater than', _`<=`),
  exclusiveMaximum: bound('less than', _`>=`),
  enum: [
    ({ data, schemaCode }) => _`!${schemaCode}.includes(${scalar(data)})`,
    ({ schema }) =>
      `must be one of ${schema.map((value: unknown) => JSON.stringify(value)).join(', ')}`,
  ],
  const: [
    ({ data, schemaCode }) => _`${scalar(data)} !== ${schemaCode}`,
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
    ({ data, schema, parentSchema: { maxLength } }) => {
      // Throws an error if the pattern is invalid.
      const { source } = new RegExp(schema, 'u');
      // maxLength rejects longer strings, on which the pattern could take too long.
      return _`[...${data}].length <= ${maxLength} && !new RegExp(${source}, "u").test(${data})`;
    },
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

/** Checks the values of keywords. Those that we support are the same in Ajv's default, draft 7. */
const JSON_SCHEMA = new Ajv({ strict: false });

/**
 * Returns the code of a module that validates events with this body (docs/decisions.md#a-validator-from-the-contract).
 *
 * @throws Error if a keyword's value is invalid
 */
export function validatorCode(body: Schema): string {
  const ajv = new Ajv({
    allErrors: true,
    strict: false,
    validateSchema: false,
    formats: FORMATS,
    code: { source: true, esm: true, lines: true },
  });
  for (const [keyword, [fails, message]] of Object.entries(OURS)) {
    const code = (cxt: KeywordCxt) => cxt.fail(fails(cxt));
    const type: 'string'[] = FOR_STRINGS.includes(keyword) ? ['string'] : [];
    ajv.removeKeyword(keyword).addKeyword({ keyword, type, code, error: { message } });
  }
  for (const [keyword, error] of Object.entries(ERRORS)) {
    Object.assign(ajv.getKeyword(keyword), { error });
  }
  ajv.removeKeyword('items').addKeyword({ keyword: 'items', type: 'array', code: checkItems });
  const event = { types: ['object'], required: ['body'], properties: { body } };
  void JSON_SCHEMA.validateSchema(event, true);
  return standalone.default(ajv, ajv.compile(event));
}

/** Checks items until one is wrong, because the errors of 200,000 items could take 800 MB. */
function checkItems(cxt: KeywordCxt): void {
  const { gen, data } = cxt;
  const valid = gen.name('valid');
  gen.forRange('at', 0, _`${data}.length`, (at) => {
    // 0 is Ajv's `Type.Num`.
    cxt.subschema({ keyword: 'items', dataProp: at, dataPropType: 0 }, valid);
    gen.if(_`!${valid}`, () => gen.break());
  });
}

function isOfType(data: Name, types: readonly Type[]): Code {
  return types.map((type) => TYPES[type][1](data)).reduce((one, other) => _`${one} || ${other}`);
}

function typeOf(name: string): (data: Name) => Code {
  return (data) => _`typeof ${data} === ${name}`;
}

function bound(words: string, fails: Code): Keyword {
  return [
    ({ data, schema }) =>
      _`(typeof ${data} === "number" || typeof ${data} === "bigint") && ${data} ${fails} ${schema}`,
    ({ schema }) => `must be ${words} ${schema}`,
  ];
}

/** Returns the code of a value in a form to compare with scalars of the contract, whose numbers are within 2^53. */
function scalar(data: Name): Code {
  return _`(typeof ${data} === "bigint" ? Number(${data}) : ${data})`;
}

function lengthMessage(must: string, noun: string): Message {
  return ({ schema }) => `must have ${must} ${schema} ${noun}${schema === 1 ? '' : 's'}`;
}
