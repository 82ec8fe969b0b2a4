import { _, Ajv, type Code, type CodeKeywordDefinition, type KeywordCxt } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import { messageOf } from '../command-line/failures.ts';
import { ContractError } from '../contract/contract.ts';
import { findInt64s } from './find-int64s.ts';
import type { ContractOperation } from './read-operations.ts';
import { POINTER, type Schema } from './read-schema.ts';
import { STRING_FORMATS } from './string-formats.ts';

const TYPES = `import type { Ajv, ValidateFunction } from 'ajv';
import type { Int64s } from '../shared/http/restore-int64s.ts';

export declare const int64s: Int64s;
declare const validate: ValidateFunction & Ajv;
export default validate;
`;

/** Replaces parts of Ajv's own keywords. An error about a property has its name in `at`. */
const CHANGES: Readonly<Record<string, Partial<CodeKeywordDefinition>>> = {
  required: {
    error: { message: 'is required', params: ({ params }) => _`{at: ${params.missingProperty}}` },
  },
  additionalProperties: {
    error: {
      message: 'is not allowed',
      params: ({ params }) => _`{at: ${params.additionalProperty}}`,
    },
  },
  enum: {
    error: {
      message: ({ schema }) =>
        `must be one of ${schema.map((each: unknown) => JSON.stringify(each)).join(', ')}`,
    },
  },
  const: { error: { message: ({ schema }) => `must be ${JSON.stringify(schema)}` } },
  // Ajv's code imports a function, which the generated module cannot.
  minLength: { code: (cxt) => cxt.fail(_`${length(cxt)} < ${cxt.schema}`) },
  maxLength: { code: (cxt) => cxt.fail(_`${length(cxt)} > ${cxt.schema}`) },
  pattern: { code: (cxt) => cxt.fail(mismatch(cxt, new RegExp(cxt.schema, 'u'))) },
  format: { code: checkFormat },
  items: { code: checkItems },
};

/**
 * For each operation with a body, generates a module that validates the parsed body in its events, and a file with its
 * types.
 *
 * @returns the contents of the files, by names such as `validate-create-plant-event.js`
 * @throws ContractError if a keyword's value is invalid, or an int64 is under `anyOf` or `oneOf`
 */
export function validators(operations: readonly ContractOperation[]): Record<string, string> {
  const files: Record<string, string> = {};
  for (const { functionName, body } of operations) {
    if (body === undefined) continue;
    const name = `validate-${functionName}-event`;
    const int64s = JSON.stringify(findInt64s([body]) ?? {});
    try {
      files[`${name}.js`] = `export const int64s = ${int64s};\n${validatorCode(body)}`;
      files[`${name}.d.ts`] = TYPES;
    } catch (error) {
      // Ajv names the invalid value, as in "schema is invalid: data/…/minLength must be integer".
      throw new ContractError(body[POINTER], `${messageOf(error)}; correct the schema`);
    }
  }
  return files;
}

/** Returns the code of a module that validates events with this body (docs/decisions.md#a-validator-from-the-contract). */
function validatorCode(body: Schema): string {
  const ajv = new Ajv({
    allErrors: true,
    strictTypes: false,
    formats: { ...STRING_FORMATS, int32: true, int64: true },
    loopEnum: Number.POSITIVE_INFINITY,
    code: { source: true, esm: true, lines: true },
  });
  for (const [keyword, change] of Object.entries(CHANGES))
    Object.assign(ajv.getKeyword(keyword), change);
  ajv.addKeyword({
    keyword: 'wellFormed',
    type: 'string',
    // A lone surrogate cannot be encoded in UTF-8, so DynamoDB cannot store it.
    code: (cxt) => cxt.fail(_`!${cxt.data}.isWellFormed()`),
    error: { message: 'must be well-formed Unicode, without lone surrogates' },
  });
  const event = { type: 'object', required: ['body'], properties: { body } };
  return standalone.default(ajv, ajv.compile(event));
}

/** Checks items until one is wrong, because the errors of 200,000 items could take 800 MB. */
function checkItems(cxt: KeywordCxt): void {
  const { gen, data, parentSchema } = cxt;
  const { maxItems = Number.POSITIVE_INFINITY } = parentSchema;
  const valid = gen.name('valid');
  gen.forRange('at', 0, _`Math.min(${data}.length, ${maxItems})`, (at) => {
    // 0 is Ajv's `Type.Num`.
    cxt.subschema({ keyword: 'items', dataProp: at, dataPropType: 0 }, valid);
    gen.if(_`!${valid}`, () => gen.break());
  });
}

function checkFormat(cxt: KeywordCxt): void {
  const pattern = STRING_FORMATS[cxt.schema];
  if (pattern instanceof RegExp) cxt.fail(mismatch(cxt, pattern));
}

/** Returns the condition that a string does not match a pattern, which could take too long for one beyond maxLength. */
function mismatch(cxt: KeywordCxt, { source, flags }: RegExp): Code {
  const { maxLength = Number.POSITIVE_INFINITY } = cxt.parentSchema;
  return _`${length(cxt)} <= ${maxLength} && !new RegExp(${source}, ${flags}).test(${cxt.data})`;
}

/** Returns the number of a string's characters, as JSON Schema counts them. */
function length({ data }: KeywordCxt): Code {
  return _`[...${data}].length`;
}
