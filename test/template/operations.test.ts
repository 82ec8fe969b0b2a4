import { expect, test } from '@jest/globals';
import { assertSameAsContract, operations } from '../../lib/operations.ts';
import { SetupError } from '../../lib/setup-error.ts';

test('the operations in lib/operations.ts are those in openapi.json', () => {
  expect(() => assertSameAsContract()).not.toThrow();
});

test('assertSameAsContract names an operation that only openapi.json has', () => {
  const [first, ...others] = operations;
  const name = `${first.operationId} (${first.method} ${first.path})`;
  const message = `openapi.json has ${name}, but lib/operations.ts does not: add it there, or remove it from openapi.json`;
  expect(() => assertSameAsContract(others)).toThrow(new SetupError(message));
});

test.each([
  [
    'in lib/operations.ts',
    { operationId: 'other' },
    /^lib\/operations.ts has other \(.*, but openapi.json does not/,
  ],
  [
    'with another path',
    { path: '/other' },
    /\/other\), but openapi.json does not: add it there, or remove it/,
  ],
])('assertSameAsContract names an operation that is only %s', (_where, changed, message) => {
  const [first] = operations;
  expect(() => assertSameAsContract([...operations, { ...first, ...changed }])).toThrow(message);
});
