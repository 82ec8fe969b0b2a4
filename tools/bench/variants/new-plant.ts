/** Reads a NewPlant without Middy or Ajv. The error messages are the same as those of the deployed function. */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { NewPlant } from '../../../lambda/create-plant/create-plant.ts';
import { OperationError, operationErrors } from '../../../lambda/shared/errors.ts';
import { parseInt64 } from '../../../lambda/shared/int64.ts';

const INT64 = 'must be an integer from -9223372036854775808 to 9223372036854775807';
const WELL_FORMED = 'must be well-formed Unicode, without lone surrogates';

/** @throws OperationError */
export function readNewPlant({ headers, body }: APIGatewayProxyEvent): NewPlant {
  const header = Object.keys(headers).find((name) => name.toLowerCase() === 'content-type') ?? '';
  const [mediaType = ''] = (headers[header] ?? '').split(';');
  if (mediaType.trim().toLowerCase() !== 'application/json') {
    throw new OperationError(operationErrors.unsupportedMediaType);
  }
  if (!body) throw new OperationError(operationErrors.notJson, { detail: 'the request has no body' });
  const value = parse(body);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidPlant(['the body must be an object']);
  }
  const { id, name, tag }: Record<string, unknown> = { ...value };
  const faults = [
    ...(id === undefined ? ['id is required'] : []),
    ...(name === undefined ? ['name is required'] : []),
    ...(id === undefined || typeof id === 'bigint' ? [] : [`id ${INT64}`]),
    ...stringFaults('name', name),
    ...stringFaults('tag', tag),
  ];
  if (faults.length > 0 || typeof id !== 'bigint' || typeof name !== 'string') throw invalidPlant(faults);
  return typeof tag === 'string' ? { id, name, tag } : { id, name };
}

/**
 * Checks what the schema of usual-create-plant.ts cannot check: that the id is an int64, and that no string has a lone
 * surrogate. @throws OperationError
 */
export function assertExact({ id, name, tag }: NewPlant): void {
  const faults = [
    ...(typeof id === 'bigint' ? [] : [`id ${INT64}`]),
    ...stringFaults('name', name),
    ...stringFaults('tag', tag),
  ];
  if (faults.length > 0) throw invalidPlant(faults);
}

function stringFaults(field: string, value: unknown): string[] {
  if (value === undefined) return [];
  if (typeof value !== 'string') return [`${field} must be a string`];
  return value.isWellFormed() ? [] : [`${field} ${WELL_FORMED}`];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text, (key: string, value: unknown, number?: { source?: string }) =>
      key === 'id' && typeof value === 'number' ? (parseInt64(number?.source ?? '') ?? value) : value,
    );
  } catch (cause) {
    throw new OperationError(operationErrors.notJson, { cause });
  }
}

function invalidPlant(faults: string[]): OperationError {
  return new OperationError(operationErrors.invalidBody, { detail: faults.join('; ') });
}
