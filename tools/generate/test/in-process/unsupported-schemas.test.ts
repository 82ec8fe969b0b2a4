import { describe, expect, test } from '@jest/globals';
import { validatorOf } from '../../../../test/support/generated-validator.ts';

describe('an unsupported schema', () => {
  const int64 = '{"type":"integer","format":"int64"}';

  test.each([
    ['{"nullable":true}', '/nullable: the keyword nullable is not supported; add "null" to type'],
    ['{"items":{"allOf":[{"not":{}}]}}', '/items/allOf/0/not: the keyword not is not supported; remove it'],
    ['{"format":"hostname"}', '/format: must be one of int32, int64, date, date-time, uuid'],
    ['{"format":"int64"}', '/format: the format int64 requires type "integer"; set this type'],
    ['{"type":"text"}', '/type: must be one of string, number, integer, boolean, null, array, object'],
    ['{"items":[{"type":"string"}]}', '/items: must be a schema, got [{"type":"string"}]'],
    ['{"pattern":"a"}', '/pattern: needs a maxLength of at most 150 in the same schema'],
    ['{"pattern":"a","maxLength":151}', '/pattern: needs a maxLength of at most 150 in the same schema'],
    ['{"multipleOf":0.5}', '/multipleOf: must be a positive integer, got 0.5; use a smaller unit'],
    ['{"enum":[{}]}', '/enum: objects and arrays are not supported here; remove them'],
    ['{"type":"integer","maximum":1152921504606846976}', '/maximum: cannot be represented exactly'],
    ['{"maximum":-9223372036854775809}', '/maximum: cannot be represented exactly; use an integer within'],
    ['{"maximum":0.99999999999999999999}', '/maximum: cannot be represented exactly; use an integer within'],
    ['{"maximum":1e400}', '/maximum: cannot be represented exactly; use an integer within'],
    ['{"const":[1]}', '/const: objects and arrays are not supported here; remove them'],
    [
      `{"anyOf":[${int64},{"type":"number"}]}`,
      '/anyOf/1: another schema for this value has the format int64 (/components/schemas/Body/properties/a/anyOf/0)',
    ],
    ['{"toString":{}}', '/toString: the keyword toString is not supported; remove it'],
    ['{"properties":{"__proto__":{}}}', '/properties: every object in JavaScript has a property __proto__;'],
    ['{"properties":{"constructor":{}}}', '/properties: every object in JavaScript has a property con'],
    ['{"$ref":"other.json"}', '/$ref: other.json does not exist in openapi.json; correct it'],
    ['5', ': must be a schema, got 5'],
  ])('is rejected, and the message names its position: %s', (schema, message) => {
    const pointer = 'openapi.json, at /components/schemas/Body/properties/a';
    expect(() => validatorOf(`{"properties":{"a":${schema}}}`)).toThrow(`${pointer}${message}`);
  });

  test('is rejected if it contains itself or thousands of schemas, or if Ajv rejects a value', () => {
    expect(() => validatorOf('{"items":{"$ref":"#/components/schemas/Body"}}')).toThrow(
      'openapi.json, at /components/schemas/Body: a schema that contains itself is not supported; limit its depth',
    );
    // Each of the 14 schemas refers twice to the next one.
    const refs = (at: number) =>
      Array.from({ length: 2 }, () => ({ $ref: `#/components/schemas/S${at + 1}` }));
    const schemas = Array.from({ length: 14 }, (_, at) => `,"S${at}":${JSON.stringify({ allOf: refs(at) })}`);
    expect(() => validatorOf('{"$ref":"#/components/schemas/S0"}', `${schemas.join('')},"S14":{}`)).toThrow(
      'has more than 10000 schemas; use fewer $refs',
    );
    expect(() => validatorOf('{"minLength":"1"}')).toThrow('minLength must be integer');
  });
});
