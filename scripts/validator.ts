import { _, Ajv, type CodeKeywordDefinition } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import type { OpenAPI3 } from 'openapi-typescript';

/** The pipeline makes a bigint of an exact int64 and of nothing else; ajv itself has no bigint type. */
const int64: CodeKeywordDefinition = {
  keyword: 'int64',
  code: (cxt) => cxt.fail(_`typeof ${cxt.data} !== 'bigint'`),
  error: { message: `must be an integer from ${-(2n ** 63n)} to ${2n ** 63n - 1n}` },
};

/** A lone surrogate has no UTF-8, so DynamoDB could not store it. */
const wellFormed: CodeKeywordDefinition = {
  keyword: 'wellFormed',
  type: 'string',
  code: (cxt) => cxt.fail(_`!${cxt.data}.isWellFormed()`),
  error: { message: 'must be well-formed Unicode, and it has a lone surrogate' },
};

/** A module whose default export validates that an event's parsed body is a NewPlant. */
export function validatorModule(openapi: OpenAPI3): string {
  const ajv = new Ajv({
    allErrors: true,
    strict: true,
    keywords: [int64, wellFormed],
    code: { source: true, esm: true, lines: true },
  });
  ajv.addVocabulary(['components']);
  ajv.addSchema({ $id: 'openapi.json', components: { schemas: storable(openapi.components?.schemas) } });
  const validate = ajv.compile({
    type: 'object',
    required: ['body'],
    properties: { body: { $ref: 'openapi.json#/components/schemas/NewPlant' } },
  });
  return `// Generated from openapi.json by \`npm run generate\`; edits are lost.\n${standalone.default(ajv, validate)}`;
}

/** The schemas in terms of what can be stored: exact int64s and well-formed strings. */
function storable(schemas: unknown): unknown {
  return JSON.parse(JSON.stringify(schemas), (_key, value) => {
    if (value?.type === 'integer' && value.format === 'int64') return { int64: true };
    if (value?.type === 'string') return { ...value, wellFormed: true };
    return value;
  });
}

/** Middy declares the schemas that it accepts as `Ajv`, but calls them as compiled functions. */
export const validatorTypes = `// Generated from openapi.json by \`npm run generate\`; edits are lost.
import type { Ajv, ValidateFunction } from 'ajv';

declare const validateCreatePlantEvent: ValidateFunction & Ajv;
export default validateCreatePlantEvent;
`;
