import { describe, expect, test } from '@jest/globals';
import { validatorOf } from '../../../../test/support/generated-validator.ts';

describe('an unsupported schema', () => {
  test.each([
    [
      '{"nullable":true}',
      '/nullable: the keyword nullable is not supported; add "null" to type, as in ["string", "null"]',
    ],
    [
      '{"items":{"allOf":[{"not":{}}]}}',
      '/items/allOf/0/not: the keyword not is not supported; remove it, and enforce the rule with code in lambda/',
    ],
    [
      '{"format":"hostname"}',
      '/format: the format "hostname" is not supported; use one of int32, int64, date, date-time, uuid, email',
    ],
    [
      '{"format":"int64"}',
      '/format: the format int64 requires type "integer"; set this type in the same schema',
    ],
    [
      '{"type":"text"}',
      '/type: must be one of string, number, integer, boolean, null, array, object, got "text"',
    ],
    ['{"items":[{"type":"string"}]}', '/items: must be a schema, got [{"type":"string"}]'],
    ['{"pattern":"a"}', '/pattern: needs a maxLength of at most 1000 in the same schema, to limit its time'],
    ['{"multipleOf":0.5}', '/multipleOf: must be an integer, got 0.5'],
    ['{"enum":[{}]}', '/enum: objects, arrays and integers above 2^53 are not supported here; remove them'],
    [
      '{"type":"integer","format":"int64","const":1}',
      '/const: is not supported for an int64; use minimum and maximum',
    ],
    [
      '{"properties":{"__proto__":{}}}',
      '/properties: every body with the key __proto__ is rejected; use a different name',
    ],
    ['{"$ref":"other.json"}', '/$ref: other.json does not exist in openapi.json; correct it'],
    ['5', ': must be a schema, got 5'],
  ])('is rejected, and the message names its position: %s', (schema, message) => {
    const place = 'openapi.json, at /components/schemas/Body/properties/a';
    expect(() => validatorOf(`{"properties":{"a":${schema}}}`)).toThrow(`${place}${message}`);
  });

  test('is rejected if it contains itself, or if Ajv rejects a value', () => {
    expect(() => validatorOf('{"items":{"$ref":"#/components/schemas/Body"}}')).toThrow(
      'openapi.json, at /components/schemas/Body: a schema that contains itself is not supported; limit its depth',
    );
    expect(() => validatorOf('{"minLength":"1"}')).toThrow('minLength must be integer');
  });
});
