import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { validatorOf } from '../../../../test/support/generated-validator.ts';
import { casesOr, seed } from '../../../../test/support/random-cases.ts';

const MAX = 2n ** 63n - 1n;

type Typed = [schema: object, json: string, value: unknown];

describe('an int64 in a generated validator', () => {
  test.each([
    ['minimum', '9007199254740993', '9007199254740993', '9007199254740992'],
    ['maximum', '9007199254740993', '9007199254740993', '9007199254740994'],
    ['exclusiveMinimum', '9007199254740992', '9007199254740993', '9007199254740992'],
    ['exclusiveMaximum', '9007199254740993', '9007199254740992', '9007199254740993'],
    ['multipleOf', '3', '9007199254740993', '9007199254740992'],
    ['multipleOf', '9007199254740993', '9007199254740993', '9223372036854775808'],
    ['minimum', '9007199254740993.0', '9007199254740993', '9007199254740992'],
    ['maximum', '-9.007199254740993e15', '-9007199254740993', '-9007199254740992'],
    ['minimum', '1', '1.0', '0'],
    ['minimum', '0.5', '1', '0'],
    ['maximum', '1152921504606846976', '1152921504606846976', '1152921504606846977'],
    ['const', '1152921504606846976', '1152921504606846976', '1152921504606847000'],
    ['enum', '[1,1152921504606846976]', '1152921504606846976', '1152921504606847000'],
    ['enum', '[1,"1"]', '1.0', '2'],
    ['format', '"int64"', `${MAX}`, `${MAX + 1n}`],
    ['format', '"int64"', '-0', '1.5'],
  ])(
    'is checked exactly against %s %s: %s is accepted, %s is rejected',
    (keyword, value, accepted, rejected) => {
      const schema = `{"type":"integer","format":"int64","${keyword}":${value}}`;
      const places: [string, (digits: string) => string][] = [
        [schema, (digits) => digits],
        [`{"properties":{"a":{"items":${schema}}}}`, (digits) => `{"a":[${digits}]}`],
        [`{"additionalProperties":${schema}}`, (digits) => `{"x":${digits}}`],
        // In the last two schemas, the rule is next to a $ref to the type, or in a different schema for the same value.
        // There, an integer above 2^53 is not supported.
        [`{"$ref":"#/components/schemas/Id","${keyword}":${value}}`, (digits) => digits],
        [
          `{"allOf":[{"$ref":"#/components/schemas/Id"},{"${keyword}":${value}}]}`,
          (digits) => digits,
        ],
      ];
      for (const [each, bodyOf] of /format|\d{15}/.test(keyword + value)
        ? places.slice(0, 3)
        : places) {
        const check = validatorOf(each, ',"Id":{"type":"integer","format":"int64"}');
        const results = [accepted, rejected].map((digits) => check(bodyOf(digits)).valid);
        expect([each, ...results]).toEqual([each, true, false]);
      }
    },
  );

  const leaf = fc.constantFrom<Typed[]>(
    [{ type: 'integer', format: 'int64' }, '9007199254740993', 2n ** 53n + 1n],
    [{ type: ['integer', 'null'], format: 'int64' }, '5.0', 5n],
    [{ type: 'integer', format: 'int32' }, '5', 5],
    [{ type: 'integer' }, '9007199254740993', 2 ** 53],
    [{ type: 'number' }, '5', 5],
    [{}, '[5]', [5]],
  );
  const within = fc.constantFrom<((typed: Typed) => Typed)[]>(
    ([items, json, value]) => [{ items }, `[${json},${json}]`, [value, value]],
    ([a, json, value]) => [{ properties: { a } }, `{"b":5,"a":${json}}`, { b: 5, a: value }],
    ([schema, json, value]) => [{ anyOf: [{ type: 'null' }, schema] }, json, value],
    ([rest, json, value]) => {
      const allOf = [{ properties: { a: {} } }, { additionalProperties: rest }];
      return [{ allOf }, `{"a":${json}}`, { a: value }];
    },
    ([additionalProperties, json, value]) => [
      { properties: { b: {} }, additionalProperties },
      `{"toString":0,"b":5,"toString":${json}}`,
      { toString: value, b: 5 },
    ],
  );
  const typed = fc
    .tuple(leaf, fc.array(within, { maxLength: 4 }))
    .map(([inner, outer]) => outer.reduce((each, wrap) => wrap(each), inner));

  test('is a bigint exactly where its type in TypeScript is bigint, for random schemas', () => {
    fc.assert(
      fc.property(typed, ([schema, json, body]) => {
        expect(validatorOf(JSON.stringify(schema))(json)).toMatchObject({ valid: true, body });
      }),
      { numRuns: casesOr(100), seed },
    );
  });
});
