import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import fc from 'fast-check';
import { validatorOf } from '../../../../test/support/generated-validator.ts';
import { casesOr, seed } from '../../../../test/support/random-cases.ts';

const name = fc.constantFrom('a', 'b', 'c', 'a/b', 'm~n', '1');
const text = fc.constantFrom(
  ...['', 'a', 'ab', 'abc', '🌱', '🌱🌱', '1', '2024-02-29', '2023-02-29'],
  ...['x@example.com', 'x@', '2eb8aa08-aa98-11ea-b4aa-73b441d16380', '2eb8aa08'],
);
const number = fc.oneof(
  fc.integer({ min: -3, max: 12 }),
  fc.constantFrom(0.5, -0, 2.5, 1e15, 2 ** 31, -(2 ** 31), 2 ** 31 - 1, 2 ** 53 - 1),
);
const scalar = fc.oneof(number, text, fc.constantFrom(null, true, false));
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', maxDepth: 3, withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4 }),
  ),
}));

const count = fc.nat(3);
const type = fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'array', 'object');
const rule = {
  type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
  enum: fc.uniqueArray(scalar, { minLength: 1, maxLength: 4, comparator: 'SameValueZero' }),
  const: scalar,
  minLength: count,
  maxLength: count,
  format: fc.constantFrom('date', 'uuid', 'email'),
  minimum: number,
  maximum: number,
  exclusiveMinimum: number,
  exclusiveMaximum: number,
  minItems: count,
  maxItems: count,
  required: fc.uniqueArray(name, { maxLength: 2 }),
  description: fc.constant('An annotation.'),
};

/** Picks only a few rules for each schema, because hardly any body would follow many rules. */
const few = (rules: Record<string, fc.Arbitrary<unknown>>, most: number) =>
  fc
    .subarray(Object.entries(rules), { minLength: 1, maxLength: most })
    .chain((entries) => fc.record(Object.fromEntries(entries)));

const { schema } = fc.letrec<{ schema: unknown }>((tie) => {
  const inner = tie('schema');
  const list = fc.array(inner, { minLength: 1, maxLength: 3 });
  const applicators = {
    properties: fc.dictionary(name, inner, { minKeys: 1, maxKeys: 3 }),
    additionalProperties: fc.boolean(),
    items: inner,
    allOf: list,
    anyOf: list,
    oneOf: list,
    $ref: fc.constant('#/components/schemas/Rule'),
  };
  const nested = fc.tuple(few(rule, 1), few(applicators, 3)).map(([a, b]) => ({ ...a, ...b }));
  return {
    schema: fc.oneof(
      { maxDepth: 2, depthSize: 'small' },
      { weight: 3, arbitrary: few(rule, 2) },
      { weight: 6, arbitrary: nested },
    ),
  };
});

describe('the generated validator', () => {
  test('accepts the same random bodies as Ajv, for random schemas with any supported keywords, but without int64s', () => {
    const seen = { valid: 0, invalid: 0 };
    const bodies = fc.array(value, { minLength: 20, maxLength: 20 });
    fc.assert(
      fc.property(schema, few(rule, 2), bodies, (Body, Rule, bodies) => {
        const ajv = new Ajv2020({ strict: false, validateSchema: false, formats: fullFormats });
        const schemas = JSON.stringify({ Body, Rule });
        // Parses the schemas as JSON, like the bodies, because Ajv never considers objects of different classes equal.
        ajv.addSchema(JSON.parse(`{"components":{"schemas":${schemas}}}`), 'openapi.json');
        const expected = ajv.compile({ $ref: 'openapi.json#/components/schemas/Body' });
        const check = validatorOf(JSON.stringify(Body), `,"Rule":${JSON.stringify(Rule)}`);
        for (const body of bodies) {
          const json = JSON.stringify(body);
          const { valid, errors } = check(json);
          seen[valid ? 'valid' : 'invalid'] += 1;
          if (valid !== expected(JSON.parse(json)))
            throw new Error(`${json} is ${valid ? '' : 'not '}accepted`);
          if (valid !== (errors.length === 0))
            throw new Error(`${json} has ${errors.length} errors`);
        }
      }),
      { numRuns: casesOr(100), seed, endOnFailure: true, includeErrorInReport: true },
    );
    expect(Math.min(seen.valid, seen.invalid)).toBeGreaterThan(100);
  });
});
