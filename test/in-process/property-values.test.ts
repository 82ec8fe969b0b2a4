import { expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import fc from 'fast-check';
import { validValues } from '../property/values.ts';
import { isAllowedInt64 } from '../support/contract.ts';
import { samePlant } from '../support/target.ts';

const MAX = 2n ** 63n - 1n;

test.each([
  { type: 'string', enum: ['indoor', 'outdoor'] },
  { const: 'indoor' },
  { type: 'string', minLength: 200, maxLength: 210 },
  { type: ['string', 'null'], maxLength: 1 },
  { type: 'string', pattern: '^[A-Z]{2}-\\d+$', maxLength: 5 },
  { type: 'string', format: 'date' },
  { type: 'string', format: 'date-time' },
  { type: 'string', format: 'uuid' },
  { type: 'string', format: 'email', maxLength: 40 },
  { type: 'integer', minimum: 5_000, multipleOf: 3 },
  { type: 'boolean' },
])('the property tests generate valid values for the rules %j', (rules) => {
  const isValid = new Ajv2020({ formats: fullFormats, strictTypes: false }).compile(rules);
  expect(fc.sample(validValues('tag', rules, isValid), 100)).toHaveLength(100);
});

test.each([
  { minimum: 1, maximum: MAX - 1n },
  { minimum: -(2 ** 63), maximum: -(2n ** 63n) + 5n },
  { exclusiveMinimum: 0.5, exclusiveMaximum: 1.5 },
  { enum: [5, MAX], multipleOf: MAX },
])('the property tests generate valid int64s for the rules %p', (rules) => {
  const int64s = { type: 'integer', format: 'int64', ...rules };
  const isValid = (value: unknown) => isAllowedInt64(int64s, value);
  expect(fc.sample(validValues('owner', int64s, isValid), 100)).toHaveLength(100);
});

test('the property tests compare all digits of an int64', () => {
  const rules = { type: 'integer', format: 'int64', multipleOf: 3, minimum: 2n ** 53n + 1n };
  expect([0n, 1n, 4n].map((more) => isAllowedInt64(rules, 2n ** 53n + more))).toEqual([false, true, true]);
  expect(samePlant({ name: 'Oak', ...{ owner: MAX } }, { name: 'Oak', ...{ owner: MAX - 1n } })).toBe(false);
});

test.each([
  [{ type: 'array' }, 'no generator for the type array'],
  [{ type: 'string' }, 'found no valid value'],
])(
  'the property tests name the file to change if they cannot generate values for the rules %j',
  (rules, problem) => {
    const sample = () =>
      fc.sample(
        validValues('tag', rules, () => false),
        1,
      );
    expect(sample).toThrow(
      `${problem}; make test/property/values.ts support the rules for tag in openapi.json`,
    );
  },
);
