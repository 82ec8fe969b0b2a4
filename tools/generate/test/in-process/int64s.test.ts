import { describe, expect, test } from '@jest/globals';
import { validatorOf } from '../../../../test/support/generated-validator.ts';

const MAX = 2n ** 63n - 1n;

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
        [`{"$ref":"#/components/schemas/Id","${keyword}":${value}}`, (digits) => digits],
        [`{"allOf":[{"$ref":"#/components/schemas/Id"},{"${keyword}":${value}}]}`, (digits) => digits],
      ];
      for (const [each, bodyOf] of keyword === 'format' ? places.slice(0, 3) : places) {
        const check = validatorOf(each, ',"Id":{"type":"integer","format":"int64"}');
        expect([each, check(bodyOf(accepted)).valid, check(bodyOf(rejected)).valid]).toEqual([
          each,
          true,
          false,
        ]);
      }
    },
  );

  test('becomes a bigint, but other numbers do not', () => {
    const int64 = '{"type":["integer","null"],"format":"int64"}';
    const check = validatorOf(
      `{"properties":{"owner":${int64},"count":{"type":"integer"},"line":{"items":{"properties":{"sku":${int64}}}}}}`,
    );
    expect(check(`{"owner":${MAX},"count":5,"line":[{"sku":7},{"sku":null}]}`)).toMatchObject({
      valid: true,
      body: { owner: MAX, count: 5, line: [{ sku: 7n }, { sku: null }] },
    });
  });

  test('works in a union with other types, and among other properties', () => {
    const id = '{"anyOf":[{"type":"integer","format":"int64"},{"type":"string"}]}';
    const check = validatorOf(`{"additionalProperties":${id},"properties":{"a":{"type":"integer"}}}`);
    expect(check(`{"id":"x","toString":${MAX},"a":1}`)).toMatchObject({
      valid: true,
      body: { toString: MAX, a: 1 },
    });
    expect(check('{"id":1.5}').valid).toBe(false);
  });
});
