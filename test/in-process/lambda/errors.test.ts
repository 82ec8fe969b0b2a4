import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import {
  type ErrorSpec,
  gatewayErrors,
  isFault,
  OperationError,
  operationErrors,
} from '../../../lambda/shared/errors.ts';

const openapi = JSON.parse(readFileSync(join(import.meta.dirname, '../../../openapi.json'), 'utf8'));

/** The examples of every error response, by error code. */
const examples: Record<string, { value: { error: number; message: string } }> = Object.assign(
  {},
  ...Object.values<{ content: Record<string, { examples: object }> }>(openapi.components.responses).map(
    ({ content }) => content['application/json']?.examples,
  ),
);

const specs: readonly ErrorSpec[] = Object.values({ ...operationErrors, ...gatewayErrors });

describe.each(specs)('the error $code', ({ code, status, message }) => {
  test('is in openapi.json with its message', () => {
    // The message of 1002 names the field, so its example does too.
    const expected = code === 1002 ? expect.stringMatching(/^id must be an integer/) : message;
    expect(examples[code]).toEqual({ value: { error: code, message: expected } });
  });

  test.each(['README.md', 'docs/errors.md'])('is in the table of %s with its status', (file) => {
    const table = readFileSync(join(import.meta.dirname, '../../..', file), 'utf8');
    expect(table).toMatch(new RegExp(`^\\| ${code} \\| ${status}\\b`, 'm'));
  });
});

test('openapi.json documents only known error codes', () => {
  expect(Object.keys(examples).sort()).toEqual(specs.map(({ code }) => String(code)).sort());
});

test('error codes are unique int32 values', () => {
  const codes = specs.map(({ code }) => code);
  expect(new Set(codes).size).toBe(codes.length);
  expect(codes.every((code) => Number.isInteger(code) && code > 0 && code < 2 ** 31)).toBe(true);
});

test('errors of the operation have status 400, those of the gateway the code 2000 + status', () => {
  const operation: readonly ErrorSpec[] = Object.values(operationErrors);
  const gateway: readonly ErrorSpec[] = Object.values(gatewayErrors);
  expect(operation.every(({ code, status }) => code < 2000 && status === 400)).toBe(true);
  expect(gateway.every(({ code, status }) => code === 2000 + status)).toBe(true);
});

test('exactly the codes 15xx and 25xx are faults of the service', () => {
  for (const spec of specs) expect([spec.code, isFault(spec)]).toEqual([spec.code, spec.code % 1000 >= 500]);
});

test('exactly 1500 and 2429 carry Retry-After', () => {
  const retryable = specs.filter(({ retryAfterSeconds }) => retryAfterSeconds !== undefined);
  expect(retryable.map(({ code }) => code)).toEqual([1500, 2429]);
});

test('an OperationError has a name of its own in the log', () => {
  expect(new OperationError(operationErrors.conflict).name).toBe('OperationError');
});
