// Generated from openapi.json by `npm run generate`; edits are lost.
import type { Ajv, ValidateFunction } from 'ajv';

declare const validateCreatePlantEvent: ValidateFunction & Ajv;
export default validateCreatePlantEvent;
