import { describe, expect, test } from '@jest/globals';
import { validatorOf } from '../../../../test/support/generated-validator.ts';

const INT32 = 'must be an integer from -2147483648 to 2147483647';
const INT64 = 'must be an integer from -9223372036854775808 to 9223372036854775807';
const quoted = (texts: string) => texts.split('|').map((text) => `"${text}"`);

describe('a generated validator', () => {
  test.each([
    ['{"type":["object","null"]}', '[]', 'must be an object or null'],
    ['{"type":["integer","null"],"format":"int64"}', '"1"', `${INT64} or null`],
    ['{"type":"integer","format":"int32"}', '2147483648', INT32],
    ['{"type":"integer","format":"int32"}', '{"valueOf":1,"toString":1}', INT32],
    ['{"minLength":1}', '""', 'must have at least 1 character'],
    ['{"maxLength":2}', '"🌱🌱🌱"', 'must have at most 2 characters'],
    ['{"exclusiveMaximum":1}', '1', 'must be less than 1'],
    ['{"minItems":1}', '[]', 'must have at least 1 item'],
    ['{"maxItems":0}', '[1]', 'must have at most 0 items'],
    ['{"enum":["a",null]}', '1', 'must be one of "a", null'],
    ['{"const":"a"}', '1', 'must be "a"'],
    ['{"pattern":"^b$","maxLength":5}', '"a"', 'must match the pattern ^b$'],
    ['{"anyOf":[{"type":"null"}]}', '1', 'must match at least one schema under "anyOf"'],
    ['{"oneOf":[{"type":"null"}]}', '1', 'must match exactly one schema under "oneOf"'],
    ['{"type":"string"}', '"\\ud800"', 'must be well-formed Unicode, without lone surrogates'],
  ])('reports why %s rejects %s: "%s"', (schema, body, message) => {
    const { errors } = validatorOf(`{"properties":{"a":${schema}}}`)(`{"a":${body}}`);
    expect(errors.at(-1)).toMatchObject({ instancePath: '/body/a', params: {}, message });
  });

  test('names the property that is missing or not allowed', () => {
    const check = validatorOf('{"required":["a"],"additionalProperties":false}');
    expect(check('{"b":1}').errors).toMatchObject([
      { instancePath: '/body', params: { at: 'a' }, message: 'is required' },
      { instancePath: '/body', params: { at: 'b' }, message: 'is not allowed' },
    ]);
  });

  test.each([
    [
      'uuid',
      ['"2EB8AA08-aa98-11ea-b4aa-73b441d16380"'],
      quoted('urn:uuid:2eb8aa08-aa98-11ea-b4aa-73b441d16380|1'),
    ],
    [
      'date',
      quoted('2024-02-29|2000-02-29|2023-12-31'),
      quoted('2023-02-29|1900-02-29|2023-04-31|2023-00-10|1-1-1'),
    ],
    [
      'date-time',
      quoted('1985-04-12T00:59:59.99Z|1963-06-19t08:30:06z|2024-02-29T23:59:59+23:59'),
      quoted(
        '2024-02-29T12:00:00+01|2024-02-29T12:00:00|2023-02-29T12:00:00Z|2024-02-29T24:00:00Z',
      ),
    ],
    ['email', quoted('a@example.com'), quoted('a|a@')],
  ])('follows the specification for the format %s', (format, accepted, rejected) => {
    const check = validatorOf(`{"format":"${format}"}`);
    expect([...accepted, ...rejected].filter((json) => check(json).valid)).toEqual(accepted);
  });

  test('counts the characters of a string before it matches a pattern', () => {
    const check = validatorOf('{"pattern":"^b","maxLength":5}');
    const errors = ['🌱🌱🌱🌱🌱', 'aaaaaa'].map((text) =>
      check(`"${text}"`).errors.map(({ message }) => message),
    );
    expect(errors).toEqual([['must match the pattern ^b'], ['must have at most 5 characters']]);
  });

  test('reports only the first wrong item of an array, and rejects a body of which another part is valid', () => {
    const items = '{"items":{"type":"null"}}';
    const check = validatorOf(`{"properties":{"a":{"anyOf":[${items},${items}]},"b":${items}}}`);
    expect(check('{"b":[null,1,1]}').errors).toMatchObject([{ instancePath: '/body/b/1' }]);
    expect(check('{"a":[1,1]}').errors).toHaveLength(3);
    expect(check('{"a":[null,1],"b":[null]}').valid).toBe(false);
  });
});

describe('an unsupported schema', () => {
  const int64 = '{"type":"integer","format":"int64"}';

  test.each([
    ['{"nullable":true}', '/nullable: the keyword nullable is not supported; add "null" to type'],
    [
      '{"items":{"allOf":[{"not":{}}]}}',
      '/items/allOf/0/not: the keyword not is not supported; remove it',
    ],
    [
      '{"format":"hostname"}',
      '/format: must be one of int32, int64, uuid, email, date, date-time,',
    ],
    ['{"format":"int64"}', '/format: the format int64 requires type "integer"; set this type'],
    [
      '{"type":"text"}',
      '/type: must be one of string, number, integer, boolean, null, array, object',
    ],
    ['{"items":[{"type":"string"}]}', '/items: must be a schema, got [{"type":"string"}]'],
    ['{"pattern":"a"}', '/pattern: needs a maxLength in the same schema, to limit its time'],
    ['{"multipleOf":2}', '/multipleOf: the keyword multipleOf is not supported; remove it, and'],
    ['{"additionalProperties":{}}', '/additionalProperties: must be true or false; check such'],
    ['{"enum":["a",{}]}', '/enum: must not be an object, an array or a number that JavaScript'],
    ['{"const":[1]}', '/const: must not be an object, an array or a number that JavaScript rounds'],
    [
      '{"type":"integer","format":"int64","maximum":9007199254740993}',
      '/maximum: must not be an object, an array or a number that JavaScript rounds, got 9007199254740993; enforce',
    ],
    [
      '{"maximum":0.99999999999999999999}',
      '/maximum: must not be an object, an array or a number that JavaScript rounds, got 0.99999999999999999999; enforce',
    ],
    ['{"enum":[1e400]}', '/enum: must not be an object, an array or a number that JavaScript'],
    [
      `{"anyOf":[${int64},{"type":"number"}]}`,
      '/anyOf/1: another schema for this value has the format int64 (/components/schemas/Body/properties/a/anyOf/0)',
    ],
    ['{"toString":{}}', '/toString: the keyword toString is not supported; remove it'],
    [
      '{"properties":{"__proto__":{}}}',
      '/properties: every object in JavaScript has a property __proto__;',
    ],
    [
      '{"required":["constructor"]}',
      '/properties: every object in JavaScript has a property constructor;',
    ],
    ['{"$ref":"other.json"}', '/$ref: other.json does not exist in openapi.json; correct it'],
    ['5', ': must be a schema, got 5'],
  ])('is rejected, and the message names its position: %s', (schema, message) => {
    const pointer = 'openapi.json, at /components/schemas/Body/properties/a';
    expect(() => validatorOf(`{"properties":{"a":${schema}}}`)).toThrow(`${pointer}${message}`);
  });

  test('is rejected if it contains itself', () => {
    expect(() => validatorOf('{"items":{"$ref":"#/components/schemas/Body"}}')).toThrow(
      'openapi.json, at /components/schemas/Body: a schema that contains itself is not supported; limit its depth',
    );
  });

  test.each([
    ['{"minLength":"1"}', 'minLength must be integer'],
    ['{"pattern":"(","maxLength":5}', 'Invalid regular expression: /(/u: Unterminated group'],
  ])('is rejected if Ajv rejects a value: %s', (schema, message) => {
    expect(() => validatorOf(schema)).toThrow(
      expect.objectContaining({ name: 'UserError', message: expect.stringContaining(message) }),
    );
  });
});
