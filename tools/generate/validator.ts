import { _, Ajv, type CodeKeywordDefinition } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';

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

const HEADER = '// Generated from openapi.json by `npm run generate`; edits are lost.\n';

/** What this module reads of openapi.json. */
interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, ContractOperation>>>>;
  readonly components: { readonly schemas: object };
}

interface ContractOperation {
  readonly operationId: string;
  readonly requestBody?: {
    readonly content: { readonly 'application/json': { readonly schema: { readonly $ref?: string } } };
  };
}

/**
 * For each operation that has a body, a module that validates the parsed body of its events, and its types.
 *
 * @returns their contents, by names such as `validate-create-plant-event.js`
 * @throws Error if a body is not one of the schemas of the components
 */
export function validators(openapi: Contract): Record<string, string> {
  const operations = Object.values(openapi.paths).flatMap((path) => Object.values(path));
  return Object.fromEntries(
    operations.flatMap(({ operationId, requestBody }) => {
      if (requestBody === undefined) return [];
      const { $ref } = requestBody.content['application/json'].schema;
      if ($ref === undefined) throw new Error(`the body of ${operationId} must be a $ref to a schema`);
      const name = `validate-${operationId.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}-event`;
      return [
        [`${name}.js`, validatorModule(openapi, $ref)],
        [`${name}.d.ts`, validatorTypes(operationId)],
      ];
    }),
  );
}

function validatorModule({ components }: Contract, bodySchema: string): string {
  const ajv = new Ajv({
    allErrors: true,
    strict: true,
    keywords: [int64, wellFormed],
    code: { source: true, esm: true, lines: true },
  });
  ajv.addVocabulary(['components']);
  ajv.addSchema({ $id: 'openapi.json', components: { schemas: storable(components.schemas) } });
  const validate = ajv.compile({
    type: 'object',
    required: ['body'],
    properties: { body: { $ref: `openapi.json${bodySchema}` } },
  });
  return `${HEADER}${standalone.default(ajv, validate)}`;
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
function validatorTypes(operationId: string): string {
  const name = `validate${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Event`;
  return `${HEADER}import type { Ajv, ValidateFunction } from 'ajv';

declare const ${name}: ValidateFunction & Ajv;
export default ${name};
`;
}
