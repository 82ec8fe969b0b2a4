import { describe, expect, test } from '@jest/globals';
import { validatorOf } from '../../../../test/support/generated-validator.ts';

const MAX = '9223372036854775807';
const ID = '{"type":"integer","format":"int64","minimum":9007199254740991}';
const PLAIN_ID = ',"Id":{"type":"integer","format":"int64"}';

describe('an int64 in a generated validator', () => {
  test.each([
    ['"minimum":9007199254740991', '9007199254740991', '9007199254740990'],
    ['"exclusiveMaximum":9007199254740991', '9007199254740990', '9007199254740991'],
    ['"maximum":-9.007199254740991e15', '-9007199254740992', '-9007199254740990'],
    ['"minimum":0.5', '1', '0'],
    ['"const":9007199254740991', '9007199254740991', '9007199254740992'],
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
      '{"a":[9007199254740991]}',
      '{"a":[9007199254740990]}',
    ],
    ['{"$ref":"#/components/schemas/Id","minimum":1}', '1.0', '0'],
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
      `{"allOf":[{"properties":{"a":{}}},{"properties":{"a":{"oneOf":[${ID},{"type":"string"}]}}}]}`,
      `{"toString":5,"a":${MAX}}`,
      { toString: 5, a: 2n ** 63n - 1n },
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
