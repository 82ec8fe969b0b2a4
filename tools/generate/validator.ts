import standalone from 'ajv/dist/standalone/index.js';
import { BodySchema } from './body-schema.ts';
import { compilableSchema } from './compilable-schema.ts';
import { below, ContractError, isObject, type JsonObject, targetOf, valueAt, write } from './contract.ts';
import { ContractAjv, IMPORTS, typeNames } from './contract-ajv.ts';
import { int64Nodes } from './int64-places.ts';

const HEADER = '// Generated from openapi.json by `npm run generate`; edits are lost.\n';

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/**
 * For each operation that has a body, a module that validates the parsed body of its events, and its types.
 *
 * @returns their contents, by names such as `validate-create-plant-event.js`
 * @throws ContractError if openapi.json has what cannot be honoured
 */
export function validators(contract: JsonObject): Record<string, string> {
  return Object.fromEntries(
    bodiesOf(contract).flatMap(({ operationId, pointer }) => {
      const name = `validate-${operationId.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}-event`;
      return [
        [`${name}.js`, validatorModule(contract, pointer)],
        [`${name}.d.ts`, validatorTypes(operationId)],
      ];
    }),
  );
}

/** The operations that have a body, and where its schema is. */
function bodiesOf(contract: JsonObject): { operationId: string; pointer: string }[] {
  return Object.entries(Object(contract.paths)).flatMap(([path, item]) =>
    Object.keys(Object(item)).flatMap((method) => {
      const place = below('/paths', path, method);
      if (!METHODS.includes(method) || valueAt(contract, `${place}/requestBody`) === undefined) return [];
      const operationId = valueAt(contract, `${place}/operationId`);
      if (typeof operationId !== 'string') throw new ContractError(place, 'has no operationId; add one');
      return { operationId, pointer: schemaOf(contract, `${place}/requestBody`) };
    }),
  );
}

function schemaOf(contract: JsonObject, place: string): string {
  const body = valueAt(contract, place);
  if (isObject(body) && body.$ref !== undefined)
    return schemaOf(contract, targetOf(contract, body.$ref, place));
  const schema = below(place, 'content', 'application/json', 'schema');
  if (valueAt(contract, schema) === undefined) throw new ContractError(schema, 'has no schema; add one');
  return schema;
}

function validatorModule(contract: JsonObject, pointer: string): string {
  const body = new BodySchema(contract, pointer);
  const int64s = int64Nodes(body);
  // Such as `constructor`, which every object has, if only by inheritance.
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
    `export const example = ${JSON.stringify(exampleOf(contract, pointer))};\n`,
    mayOverflow(body) ? withoutOverflow(code) : code,
  ].join('');
}

/** The first example of a body, as JSON; an empty object if the contract has none. */
function exampleOf(contract: JsonObject, schema: string): string {
  const [first] = Object.values(Object(valueAt(contract, schema.replace(/schema$/, 'examples'))));
  return write(Object(first).value ?? {});
}

/** Ajv's code with messages of ours for what is no keyword, without what nobody reads, and linear. */
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

/** Whether a body can be too deep for the stack, or a string too long for a regular expression. */
function mayOverflow(body: BodySchema): boolean {
  const overflowing = ['pattern', 'patternProperties', 'uniqueItems', 'enum', 'const'];
  return (
    body.isRecursive ||
    body.all.some(
      ({ rules }) =>
        overflowing.some((keyword) => keyword in rules) ||
        !['int32', 'int64', undefined].some((format) => format === rules.format),
    )
  );
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

/** Middy declares the schemas that it accepts as `Ajv`, but calls them as compiled functions. */
function validatorTypes(operationId: string): string {
  const name = `validate${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Event`;
  return `${HEADER}import type { Ajv, ValidateFunction } from 'ajv';
import type { Int64Node } from '../shared/json-text.ts';

export declare const int64s: readonly Int64Node[];
/** JSON of a body that the contract shows as an example. */
export declare const example: string;
declare const ${name}: ValidateFunction & Ajv;
export default ${name};
`;
}
