import { expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import fc from 'fast-check';
import { validValues } from '../property/values.ts';

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
  { type: 'string', format: 'uri' },
  { type: 'integer', minimum: 5_000, multipleOf: 3 },
  { type: 'boolean' },
])('the property tests generate values for %j', (rules) => {
  const isValid = new Ajv2020({ formats: fullFormats, strictTypes: false }).compile(rules);
  expect(fc.sample(validValues('tag', rules, isValid), 100)).toHaveLength(100);
});

test.each([
  [{ type: 'array' }, 'no generator for the type array'],
  [{ type: 'string' }, 'found no valid value'],
])('the property tests name the file to change if they cannot generate values for %j', (rules, problem) => {
  const sample = () =>
    fc.sample(
      validValues('tag', rules, () => false),
      1,
    );
  expect(sample).toThrow(`${problem}; teach test/property/values.ts the rules of tag in openapi.json`);
});
