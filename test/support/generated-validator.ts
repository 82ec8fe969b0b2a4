import type { Ajv, ValidateFunction } from 'ajv';
import { OperationError } from '../../lambda/shared/errors.ts';
import { type Int64s, restoreInt64s } from '../../lambda/shared/http/restore-int64s.ts';
import { parseContract } from '../../tools/contract/contract.ts';
import { readOperations } from '../../tools/generate/read-operations.ts';
import { validators } from '../../tools/generate/validator.ts';

export interface Finding {
  readonly instancePath: string;
  readonly params: { readonly at?: string };
  readonly message?: string;
}

export interface Checked {
  readonly valid: boolean;
  /** With bigints; missing if the body is invalid. */
  readonly body?: unknown;
  readonly errors: readonly Finding[];
}

/**
 * Generates and loads the validator for the schema `Body`, in the form in which an operation imports it.
 *
 * @param schemas components.schemas as JSON
 */
export function generatedModule(schemas: string): {
  validator: ValidateFunction & Ajv;
  int64s: Int64s;
} {
  const body = '{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Body"}}}}';
  const paths = `{"/":{"post":{"operationId":"tryIt","requestBody":${body}}}}`;
  const security = '"accessToken":{"type":"http","scheme":"bearer"}';
  const contract = `{"security":[{"accessToken":[]}],"paths":${paths},"components":{"securitySchemes":{${security}},"schemas":${schemas}}}`;
  const code =
    validators(readOperations(parseContract(contract)))['validate-try-it-event.js'] ?? '';
  const script = code
    .replaceAll(/^export const /gm, 'const ')
    .replace(/^export default (\w+);/m, 'const validator = $1;');
  return new Function(`${script}\nreturn { validator, int64s };`)();
}

/**
 * Generates the validator for a schema, as JSON. Returns a function that checks the JSON of a body.
 *
 * @param others more schemas, such as `,"Id":{"type":"integer"}`
 */
export function validatorOf(schema: string, others = ''): (json: string) => Checked {
  const { validator, int64s } = generatedModule(`{"Body":${schema}${others}}`);
  return (json) => {
    const event = { body: JSON.parse(json) };
    if (!validator(event)) return { valid: false, errors: validator.errors ?? [] };
    try {
      return { valid: true, body: restoreInt64s(json, event.body, int64s), errors: [] };
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      return { valid: false, errors: [{ instancePath: '', params: {}, message: error.message }] };
    }
  };
}
