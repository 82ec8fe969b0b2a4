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
    [
      '{"multipleOf":0.5}',
      '/multipleOf: must be a positive integer, got 0.5; use a smaller unit, such as cents',
    ],
    ['{"enum":[{}]}', '/enum: objects and arrays are not supported here; remove them'],
    [
      '{"type":"integer","maximum":1152921504606846976}',
      '/maximum: 1152921504606846976 is above 2^53, so it is exact only in a schema with the format int64; set this format',
    ],
    [
      '{"maximum":-9223372036854775809}',
      '/maximum: cannot be represented exactly; use an integer, or a fraction with fewer digits',
    ],
    [
      '{"maximum":0.99999999999999999999}',
      '/maximum: cannot be represented exactly; use an integer, or a fraction with fewer digits',
    ],
    [
      '{"anyOf":[{"type":"integer","format":"int64"},{"type":"number"}]}',
      '/anyOf/1: another schema for this value has the format int64 (/components/schemas/Body/properties/a/anyOf/0); use int64 in both',
    ],
    [
      '{"toString":{}}',
      '/toString: the keyword toString is not supported; remove it, and enforce the rule with code in lambda/',
    ],
    [
      '{"properties":{"__proto__":{}}}',
      '/properties: every object in JavaScript has a property __proto__; use a different name',
    ],
    [
      '{"properties":{"constructor":{}}}',
      '/properties: every object in JavaScript has a property constructor; use a different name',
    ],
    ['{"$ref":"other.json"}', '/$ref: other.json does not exist in openapi.json; correct it'],
    ['5', ': must be a schema, got 5'],
  ])('is rejected, and the message names its position: %s', (schema, message) => {
    const place = 'openapi.json, at /components/schemas/Body/properties/a';
    expect(() => validatorOf(`{"properties":{"a":${schema}}}`)).toThrow(`${place}${message}`);
  });

  test('is rejected if it contains itself or thousands of schemas, or if Ajv rejects a value', () => {
    expect(() => validatorOf('{"items":{"$ref":"#/components/schemas/Body"}}')).toThrow(
      'openapi.json, at /components/schemas/Body: a schema that contains itself is not supported; limit its depth',
    );
    const twice = (name: string) =>
      `{"allOf":[{"$ref":"#/components/schemas/${name}"},{"$ref":"#/components/schemas/${name}"}]}`;
    const doubled = Array.from(
      { length: 14 },
      (_, at) => `,"S${at}":${at === 13 ? '{}' : twice(`S${at + 1}`)}`,
    );
    expect(() => validatorOf(twice('S0'), doubled.join(''))).toThrow(
      'has more than 10000 schemas; use fewer $refs',
    );
    expect(() => validatorOf('{"minLength":"1"}')).toThrow('minLength must be integer');
  });
});
