import { messageOf } from 'stack-emulator';
import { ContractError } from '../contract/contract.ts';
import { validatorCode } from './compile.ts';
import { int64sIn } from './int64s.ts';
import type { ContractOperation } from './read-operations.ts';
import { POINTER } from './schema.ts';

/** Middy's types declare a schema as `Ajv`, but Middy calls it as a compiled function. */
const TYPES = `import type { Ajv, ValidateFunction } from 'ajv';
import type { Int64s } from '../shared/http/exact-numbers.ts';

export declare const int64s: Int64s;
declare const validate: ValidateFunction & Ajv;
export default validate;
`;

/**
 * For each operation with a body, generates a module that validates the parsed body in its events, and a file with its
 * types. `generated-files.ts` writes these files.
 *
 * @returns the contents of the files, by names such as `validate-create-plant-event.js`
 * @throws ContractError if a keyword's value is invalid, or int64s are used with other numbers
 */
export function validators(operations: readonly ContractOperation[]): Record<string, string> {
  const files: Record<string, string> = {};
  for (const { functionName, body } of operations) {
    if (body === undefined) continue;
    const name = `validate-${functionName}-event`;
    const int64s = JSON.stringify(int64sIn([body]) ?? {});
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
