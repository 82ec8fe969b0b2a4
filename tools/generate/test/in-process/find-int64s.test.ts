import { describe, expect, test } from '@jest/globals';
import { validatorOf } from '../../../../test/support/generated-validator.ts';

const MAX = '9223372036854775807';
const INT64 = '{"type":"integer","format":"int64"}';
const object = (a: string, more = '') => `{"type":"object","properties":{"a":${a}}${more}}`;

describe('an int64 in a generated validator', () => {
  test.each([
    ['"minimum":9007199254740991', '9007199254740991', '9007199254740990'],
    ['"minimum":0.5', '1', '0'],
    ['"const":9007199254740991', '9007199254740991', '9007199254740992'],
  ])('is checked exactly: with %s, %s is accepted, %s is rejected', (rule, accepted, rejected) => {
    const check = validatorOf(`{"type":"integer","format":"int64",${rule}}`);
    expect(check(accepted)).toMatchObject({ valid: true });
    expect(check(rejected)).toMatchObject({ valid: false });
  });

  test.each<[schema: string, json: string, body: unknown]>([
    [INT64, MAX, 2n ** 63n - 1n],
    ['{"type":["integer","null"],"format":"int64"}', '5.0', 5n],
    [object(INT64, `,"anyOf":[${object('{"type":"number"}')},{}]`), '{"a":5.0}', { a: 5n }],
    [`{"items":{"items":${INT64}}}`, `[[${MAX}],[]]`, [[2n ** 63n - 1n], []]],
    [object(INT64), `{"n":5,"a":${MAX}}`, { n: 5, a: 2n ** 63n - 1n }],
    [
      `{"allOf":[${object('{}')},${object(INT64)}]}`,
      `{"toString":5,"a":${MAX}}`,
      { toString: 5, a: 2n ** 63n - 1n },
    ],
  ])('is a bigint: %s parses %s', (schema, json, body) => {
    expect(validatorOf(schema)(json)).toMatchObject({ valid: true, body });
  });

  test.each<[schema: string, json: string, body: unknown]>([
    ['{"type":"integer","format":"int32"}', '5', 5],
    ['{"type":"integer"}', '9007199254740993', 2 ** 53],
  ])('is the only type that is a bigint: %s parses %s', (schema, json, body) => {
    expect(validatorOf(schema)(json)).toMatchObject({ valid: true, body });
  });

  test.each([
    [`{"anyOf":[{"type":"null"},{"$ref":"#/components/schemas/Id"}]}`, ''],
    [`{"oneOf":[{},${object(`{"items":${INT64}}`)}]}`, ''],
    [object(`{"allOf":[{"anyOf":[${INT64}]}]}`), '/properties/a/allOf/0'],
  ])('is rejected under anyOf and oneOf: %s', (schema, pointer) => {
    expect(() => validatorOf(schema, `,"Id":${INT64}`)).toThrow(
      `openapi.json, at /components/schemas/Body${pointer}: an int64 under anyOf or oneOf is not supported; describe`,
    );
  });
});
