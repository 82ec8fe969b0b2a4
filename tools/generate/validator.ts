import standalone from 'ajv/dist/standalone/index.js';
import { type BodySchema, bodySchema, patternsOf } from './body-schema.ts';
import { compilableSchema } from './compilable-schema.ts';
import { below, ContractError, type JsonObject, resolve, valueAt, write } from './contract.ts';
import { ContractAjv, typeNames } from './contract-ajv.ts';
import { IMPORTS } from './imports.ts';
import { int64Nodes } from './int64-places.ts';

const HEADER = '// Generated from openapi.json by `npm run generate`; edits are lost.\n';

/**
 * For each operation with a body, generates a module that validates the parsed body in its events, and a file with the
 * module's types.
 *
 * @returns the contents of the files, by names such as `validate-create-plant-event.js`
 * @throws ContractError if a part of openapi.json is not supported
 */
export function validators(contract: JsonObject): Record<string, string> {
  return Object.fromEntries(
    bodiesOf(contract).flatMap(({ operationId, body, example }) => {
      const name = `validate-${operationId.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}-event`;
      return [
        [`${name}.js`, validatorModule(body, example)],
        [`${name}.d.ts`, TYPES],
      ];
    }),
  );
}

/** An operation with a body. The example is the body's first one as JSON, or an empty object if there is none. */
interface OperationWithBody {
  readonly operationId: string;
  readonly body: BodySchema;
  readonly example: string;
}

/** @throws ContractError if an operation with a body has no valid operationId, or its body is not supported */
export function bodiesOf(contract: JsonObject): OperationWithBody[] {
  return Object.entries(Object(contract.paths)).flatMap(([path, item]) =>
    Object.keys(Object(item)).flatMap((method) => {
      const place = below('/paths', path, method);
      const request = resolve(contract, below(place, 'requestBody'));
      if (valueAt(contract, request) === undefined) return [];
      const operationId = valueAt(contract, below(place, 'operationId'));
      if (typeof operationId !== 'string' || !/^\w+$/.test(operationId)) {
        const found = operationId === undefined ? 'none' : write(operationId);
        throw new ContractError(
          place,
          `must have an operationId of letters, digits and underscores, got ${found}`,
        );
      }
      const content = below(request, 'content', 'application/json');
      const schema = below(content, 'schema');
      if (valueAt(contract, schema) === undefined)
        throw new ContractError(schema, 'is missing; add a schema');
      const [first] = Object.values(Object(valueAt(contract, below(content, 'examples'))));
      return {
        operationId,
        body: bodySchema(contract, schema),
        example: write(Object(first).value ?? {}),
      };
    }),
  );
}

function validatorModule(body: BodySchema, example: string): string {
  const int64s = int64Nodes(body);
  // Every object inherits names such as `constructor`; if the schema has one, Ajv must check for own properties.
  const inherited = body.all.some(({ rules }) =>
    [...Object.keys(Object(rules.properties)), ...Object(rules.required ?? [])].some((name) => name in {}),
  );
  const ajv = new ContractAjv({ ownProperties: inherited });
  const validate = ajv.compile(JSON.parse(JSON.stringify(compilableSchema(body))));
  const code = polished(standalone.default(ajv, validate));
  const imports = Object.entries(IMPORTS).filter(([name]) => new RegExp(`= ${name};`).test(code));
  return [
    HEADER,
    ...imports.map(([name, module]) => `import { ${name} } from '${module}';\n`),
    `export const int64s = ${int64s};\n`,
    `export const example = ${JSON.stringify(example)};\n`,
    mayOverflow(body) ? withoutOverflow(code) : code,
  ].join('');
}

/** Changes Ajv's code: our messages for types and `false`, no unused fields, and linear time for many errors. */
function polished(code: string): string {
  return code
    .replaceAll(/keyword:"type",params:\{[^}]*\},message:"must be ([a-z,]+)"/g, (_match, types: string) => {
      return `params:{},message:${JSON.stringify(`must be ${typeNames(types.split(','))}`)}`;
    })
    .replaceAll('message:"boolean schema is false"', 'message:"is not allowed"')
    .replaceAll(/schemaPath:"(?:[^"\\]|\\.)*",(?:keyword:"[^"]*",)?/g, '')
    .replaceAll(
      /vErrors = vErrors === null \? (\w+)\.errors : vErrors\.concat\(\1\.errors\);/g,
      'if (vErrors === null) vErrors = $1.errors; else for (const error of $1.errors) vErrors.push(error);',
    );
}

/** Whether a deep body, or a long string that is tested on a regular expression, can overflow the stack. */
function mayOverflow({ all, isRecursive }: BodySchema): boolean {
  return isRecursive || all.some(({ rules }) => hasDeepCheck(rules) || hasRegExp(rules));
}

function hasDeepCheck({ uniqueItems, enum: values, const: value }: JsonObject): boolean {
  return uniqueItems === true || [value, ...[values].flat()].some((each) => each === Object(each));
}

function hasRegExp(rules: JsonObject): boolean {
  return patternsOf(rules).length > 0 || ![undefined, 'int32', 'int64'].some((each) => each === rules.format);
}

function withoutOverflow(code: string): string {
  return `${code.replace(/^export default (\w+);$/m, 'export default validateWithinStack;')}
function validateWithinStack(event){
try {
return validate(event);
}
catch (error) {
if (!(error instanceof RangeError)) throw error;
validate.errors = [{instancePath:"/body",params:{},message:"must be shorter or less deeply nested"}];
return false;
}
finally {
validateWithinStack.errors = validate.errors;
}
}`;
}

/** Middy's types declare a schema as `Ajv`, but Middy calls it as a compiled function. */
const TYPES = `${HEADER}import type { Ajv, ValidateFunction } from 'ajv';
import type { Int64Node } from '../shared/json-text.ts';

export declare const int64s: readonly Int64Node[];
/** The contract's example body, as JSON. */
export declare const example: string;
declare const validate: ValidateFunction & Ajv;
export default validate;
`;
