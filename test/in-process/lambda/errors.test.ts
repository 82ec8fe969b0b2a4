import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { gatewayErrors, isFault, OperationError, operationErrors } from '../../../lambda/shared/errors.ts';

const openapi = JSON.parse(readFileSync(join(import.meta.dirname, '../../../openapi.json'), 'utf8'));

/** The examples of every error response, by error number. */
const examples: Record<string, { value: { error: number; message: string } }> = Object.assign(
  {},
  ...Object.values<{ content: Record<string, { examples: object }> }>(openapi.components.responses).map(
    ({ content }) => content['application/json']?.examples,
  ),
);

describe.each(Object.entries({ ...operationErrors, ...gatewayErrors }))(
  'the error %s',
  (_name, { error, message }) => {
    test('is in openapi.json with its number and text', () => {
      // 1002 says which field is wrong, so its example does too.
      const text = error === 1002 ? expect.stringMatching(/^id must be an integer/) : message;
      expect(examples[error]).toEqual({ value: { error, message: text } });
    });

    test.each(['README.md', 'docs/errors.md'])('is in the table of %s with its status', (file) => {
      const table = readFileSync(join(import.meta.dirname, '../../..', file), 'utf8');
      const status = error < 2000 ? 400 : error - 2000;
      expect(table).toMatch(new RegExp(`^\\| ${error} \\| ${status}\\b`, 'm'));
    });
  },
);

test('openapi.json shows no error that is none of ours', () => {
  const numbers = Object.values({ ...operationErrors, ...gatewayErrors }).map(({ error }) => String(error));
  expect(Object.keys(examples).sort()).toEqual(numbers.sort());
});

test('the numbers of the table are int32 and each its own', () => {
  const numbers: number[] = Object.values({ ...operationErrors, ...gatewayErrors }).map(({ error }) => error);
  expect(new Set(numbers).size).toBe(numbers.length);
  expect(numbers.every((error) => Number.isInteger(error) && error > 0 && error < 2 ** 31)).toBe(true);
});

test('an error of the operation is told apart in the log by its name', () => {
  expect(new OperationError(operationErrors.conflict).name).toBe('OperationError');
});

test('the service is at fault from 500 on, of each thousand', () => {
  const all = Object.values({ ...operationErrors, ...gatewayErrors });
  const faults = all.filter(isFault).map(({ error }) => error);
  expect(faults).toEqual([1500, 1599, 2500, 2502, 2504]);
});
