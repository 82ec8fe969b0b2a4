import { describe, expect, test } from '@jest/globals';
import { validatorOf } from '../../../../test/support/generated-validator.ts';

const ID = ',"Id":{"type":"integer","format":"int64"}';
const quoted = (texts: string) => texts.split('|').map((text) => `"${text}"`);

describe('a generated validator', () => {
  test.each([
    ['{"type":"string","minLength":1}', '""', 'must NOT have fewer than 1 characters'],
    ['{"type":"string","maxLength":2}', '"🌱🌱🌱"', 'must NOT have more than 2 characters'],
    ['{"enum":["a",null]}', '1', 'must be one of "a", null'],
    ['{"const":"a"}', '1', 'must be "a"'],
    ['{"type":"integer","format":"int32","maximum":5}', '-2147483649', 'must be >= -2147483648'],
    ['{"type":"integer","format":"int32"}', '2147483648', 'must be <= 2147483647'],
    ['{"$ref":"#/components/schemas/Id","minimum":1}', '0', 'must be >= 1'],
    ['{"type":["integer","null"],"format":"int64"}', '"1"', 'must be integer,null'],
    ['{"type":"number"}', '1e400', 'must be number'],
    ['{"type":"string"}', '"\\ud800"', 'must be well-formed Unicode, without lone surrogates'],
  ])('reports why a schema rejects a value: %s, %s, "%s"', (schema, body, message) => {
    const check = validatorOf(`{"type":"object","properties":{"a":${schema}}}`, ID);
    expect(check(`{"a":${body}}`).errors).toMatchObject([{ instancePath: '/body/a', message }]);
  });

  test('names the property that is missing or not allowed', () => {
    const check = validatorOf('{"type":"object","required":["a"],"additionalProperties":false}');
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
      quoted('2023-02-29|1900-02-29|2023-04-31|2023-11-31|2024-02-30|2023-00-10|1-1-1'),
    ],
    [
      'date-time',
      quoted('1985-04-12T00:59:59.123456789Z|1963-06-19t08:30:06z|2024-02-29T23:59:59+23:59'),
      quoted(
        '2024-02-29T12:00:00+01|2024-02-29T12:00:00|2023-02-29T12:00:00Z|2024-02-29T24:00:00Z',
      ),
    ],
    ['email', quoted('a@example.com'), quoted('a|a@')],
  ])(
    'follows the specification for the format %s, in linear time',
    (format, accepted, rejected) => {
      const check = validatorOf(`{"type":"string","format":"${format}"}`);
      expect([...accepted, ...rejected].filter((json) => check(json).valid)).toEqual(accepted);
      const start = performance.now();
      for (const part of ['a', 'a@a.', '1-']) check(`"${part.repeat(100_000)} "`);
      expect(performance.now() - start).toBeLessThan(1_000);
    },
  );

  test.each([
    ['"pattern":"^b"', 'must match pattern "^b"'],
    ['"format":"date"', 'must match format "date"'],
  ])('beyond maxLength, counted in characters, does not try %s', (rule, mismatch) => {
    const check = validatorOf(`{"type":"string","maxLength":5,${rule}}`);
    expect(check('"🌱🌱🌱🌱🌱"').errors).toMatchObject([{ message: mismatch }]);
    expect(check('"aaaaaa"').errors).toMatchObject([
      { message: 'must NOT have more than 5 characters' },
    ]);
  });

  test('checks the items of an array until one is wrong, and none beyond maxItems', () => {
    const items = '"type":"array","items":{"type":"null"}';
    const check = validatorOf(
      `{"type":"object","properties":{"a":{${items}},"b":{${items},"maxItems":1}}}`,
    );
    expect(check('{"a":[null,1,1],"b":[null]}').errors).toMatchObject([
      { instancePath: '/body/a/1' },
    ]);
    expect(check('{"a":[null],"b":[null,1]}').errors).toMatchObject([
      { instancePath: '/body/b', message: 'must NOT have more than 1 items' },
    ]);
  });

  test('needs no import for any supported keyword or annotation', () => {
    const all = [
      '{"type":"string","minLength":1,"maxLength":5,"pattern":"a"}',
      '{"type":"number","minimum":1,"exclusiveMinimum":1,"maximum":9,"exclusiveMaximum":9}',
      '{"type":"array","minItems":1,"maxItems":2,"items":{"oneOf":[{"const":1},{"type":"null"}]}}',
      `{"enum":${JSON.stringify(Array.from({ length: 300 }, (_, index) => `${index}`))}}`,
      '{"type":"object","required":["a"],"properties":{"a":{}},"additionalProperties":false}',
      '{"const":2,"title":"","description":"","$comment":"","default":2,"deprecated":true}',
      '{"const":2,"readOnly":true,"writeOnly":true,"example":2,"examples":[2],"x-any":2}',
    ];
    const check = validatorOf(`{"anyOf":[${all}]}`);
    expect(
      ['"a"', '2', '[1]', '"299"', '{"a":1}'].filter((json) => check(json).valid),
    ).toHaveLength(5);
    expect(check('true').errors.at(-1)).toMatchObject({ message: 'must match a schema in anyOf' });
  });
});

describe('an unsupported schema', () => {
  const integer = '"type":"integer","format":"int64"';

  test.each([
    ['{"nullable":true}', '/nullable: the keyword nullable is not supported; add "null" to type'],
    [
      '{"items":{"allOf":[{"not":{}}]}}',
      '/items/allOf/0/not: the keyword not is not supported; remove it',
    ],
    ['{"$schema":"x"}', '/$schema: the keyword $schema is not supported; remove it'],
    ['{"toString":{}}', '/toString: the keyword toString is not supported; remove it'],
    [
      '{"format":"hostname"}',
      '/format: must be one of int32, int64, uuid, email, date, date-time,',
    ],
    ['{"format":"int64"}', '/format: the format int64 requires type "integer"; set this type'],
    ['{"type":"integer","format":"date"}', '/format: the format date requires type "string"; set'],
    ['{"type":["integer","number"],"format":"int32"}', '/format: the format int32 requires type'],
    ['{"type":"integer","format":["int32"]}', '/format: must be one of int32, int64, uuid,'],
    ['{"items":[{"type":"string"}]}', '/items: must be a schema, got [{"type":"string"}]'],
    ['{"pattern":"a"}', '/pattern: needs a maxLength in the same schema, to limit its time'],
    ['{"additionalProperties":{}}', '/additionalProperties: must be true or false; check such'],
    ['{"enum":["a",{}]}', '/enum/1: must not be an object, an array or a number that JavaScript'],
    ['{"const":[1]}', '/const: must not be an object, an array or a number that JavaScript rounds'],
    [
      `{${integer},"maximum":9007199254740993}`,
      '/maximum: must not be an object, an array or a number that JavaScript rounds, got 9007199254740993; enforce',
    ],
    [
      '{"properties":{"__proto__":{}}}',
      '/properties/__proto__: every object in JavaScript has a property __proto__;',
    ],
    [
      '{"required":["constructor"]}',
      '/required/0: every object in JavaScript has a property constructor;',
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
    ['{"type":"string","minLength":"1"}', 'minLength must be integer'],
    ['{"type":"string","pattern":"(","maxLength":5}', 'Invalid regular expression: /(/u: Untermin'],
  ])('is rejected if Ajv rejects a value: %s', (schema, message) => {
    expect(() => validatorOf(schema)).toThrow(
      expect.objectContaining({ name: 'UserError', message: expect.stringContaining(message) }),
    );
  });
});
