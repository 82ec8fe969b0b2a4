import { describe, expect, test } from '@jest/globals';
import { validatorOf } from '../../../../test/support/generated-validator.ts';

const MAX = '9223372036854775807';
const ID = '{"type":"integer","format":"int64","minimum":9007199254740993}';
const PLAIN_ID = ',"Id":{"type":"integer","format":"int64"}';

describe('an int64 in a generated validator', () => {
  test.each([
    ['"minimum":9007199254740993', '9007199254740993', '9007199254740992'],
    ['"exclusiveMaximum":9007199254740993', '9007199254740992', '9007199254740993'],
    ['"multipleOf":3', '9007199254740993', '9007199254740992'],
    ['"minimum":9007199254740993.0', '9007199254740993', '9007199254740992'],
    ['"maximum":-9.007199254740993e15', '-9007199254740993', '-9007199254740992'],
    ['"minimum":0.5', '1', '0'],
    ['"maximum":1152921504606846976', '1152921504606846976', '1152921504606846977'],
    ['"const":1152921504606846976', '1152921504606846976', '1152921504606847000'],
    ['"enum":[1,1152921504606846976]', '1152921504606846976', '1152921504606847000'],
    ['"enum":[1,"1"]', '1.0', '2'],
    ['"title":"any"', MAX, '9223372036854775808'],
    ['"title":"any"', '-0', '1.5'],
  ])(
    'is checked exactly against %s: %s is accepted, %s is rejected',
    (rule, accepted, rejected) => {
      const check = validatorOf(`{"type":"integer","format":"int64",${rule}}`);
      expect(check(accepted)).toMatchObject({ valid: true });
      expect(check(rejected)).toMatchObject({ valid: false });
    },
  );

  test.each([
    [
      `{"properties":{"a":{"items":${ID}}}}`,
      '{"a":[9007199254740993]}',
      '{"a":[9007199254740992]}',
    ],
    [`{"additionalProperties":${ID}}`, '{"a":9007199254740993}', '{"a":9007199254740992}'],
    ['{"$ref":"#/components/schemas/Id","minimum":1}', '1.0', '0'],
    ['{"$ref":"#/components/schemas/Id","multipleOf":3}', '9007199254740993', '9007199254740992'],
    ['{"$ref":"#/components/schemas/Id","enum":[1,"1"]}', '1.0', '2'],
    ['{"allOf":[{"$ref":"#/components/schemas/Id"},{"maximum":0.5}]}', '0', '1'],
  ])('is checked wherever its rule is, as in %s', (schema, accepted, rejected) => {
    const check = validatorOf(schema, PLAIN_ID);
    expect(check(accepted)).toMatchObject({ valid: true });
    expect(check(rejected)).toMatchObject({ valid: false });
  });

  test.each<[schema: string, json: string, body: unknown]>([
    ['{"type":"integer","format":"int64"}', MAX, 2n ** 63n - 1n],
    ['{"type":["integer","null"],"format":"int64"}', '5.0', 5n],
    [`{"anyOf":[{"type":"null"},${ID}]}`, MAX, 2n ** 63n - 1n],
    [`{"items":{"items":${ID}}}`, `[[${MAX}],[]]`, [[2n ** 63n - 1n], []]],
    [`{"properties":{"id":${ID}}}`, `{"n":5,"id":${MAX}}`, { n: 5, id: 2n ** 63n - 1n }],
    [
      `{"properties":{"n":{}},"additionalProperties":${ID}}`,
      `{"toString":0,"n":5,"toString":${MAX}}`,
      { toString: 2n ** 63n - 1n, n: 5 },
    ],
    [
      `{"allOf":[{"properties":{"id":{}}},{"additionalProperties":${ID}}]}`,
      `{"id":${MAX}}`,
      { id: 2n ** 63n - 1n },
    ],
    [
      `{"properties":{"a":{"additionalProperties":{"oneOf":[${ID},{"type":"string"}]}}}}`,
      `{"a":{"b":${MAX},"c":"d"}}`,
      { a: { b: 2n ** 63n - 1n, c: 'd' } },
    ],
  ])('is a bigint: %s parses %s', (schema, json, body) => {
    expect(validatorOf(schema)(json)).toMatchObject({ valid: true, body });
  });

  test.each<[schema: string, json: string, body: unknown]>([
    ['{"type":"integer","format":"int32"}', '5', 5],
    ['{"type":"integer"}', '9007199254740993', 2 ** 53],
    ['{"items":{"type":"number"}}', '[5]', [5]],
    ['{}', '[5]', [5]],
  ])('is the only type that is a bigint: %s parses %s', (schema, json, body) => {
    expect(validatorOf(schema)(json)).toMatchObject({ valid: true, body });
  });
});
