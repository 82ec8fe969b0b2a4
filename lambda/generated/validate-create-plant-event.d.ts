// Generated from openapi.json by `npm run generate`; edits are lost.
import type { Ajv, ValidateFunction } from 'ajv';
import type { Int64Node } from '../shared/json-text.ts';

export declare const int64s: readonly Int64Node[];
/** The contract's example body, as JSON. */
export declare const example: string;
declare const validate: ValidateFunction & Ajv;
export default validate;
