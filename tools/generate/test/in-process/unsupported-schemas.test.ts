import { describe, expect, test } from '@jest/globals';
import { validatorOf } from '../../../../test/support/generated-validator.ts';

describe('an unsupported schema', () => {
  test.each([
    [
      '{"nullable":true}',
      '/nullable: the keyword nullable is not supported; add "null" to type, as in ["string", "null"]',
    ],
    [
      '{"not":{"allOf":[{"x":1}]}}',
      '/not/allOf/0/x: the keyword x is not supported; remove it, and enforce the rule with code in lambda/',
    ],
    ['{"maxLenght":1}', '/maxLenght: the keyword maxLenght is not supported; did you mean maxLength?'],
    ['{"Required":["a"]}', '/Required: the keyword Required is not supported; did you mean required?'],
    [
      '{"format":"hostname"}',
      '/format: the format "hostname" is not supported; use one of int32, int64, date, date-time, uuid, email, uri, or no format',
    ],
    [
      '{"format":"int64"}',
      '/format: the format int64 requires type "integer"; set this type in the same schema',
    ],
    [
      '{"pattern":"^a\\\\-b$"}',
      '/pattern: must be a valid regular expression with the flag u, got "^a\\\\-b$" (Invalid escape); correct it',
    ],
    [
      '{"pattern":"(?<a>(?<a>b)|c)"}',
      '/pattern: must be a valid regular expression with the flag u, got "(?<a>(?<a>b)|c)" (Duplicate capture group name); correct it',
    ],
    [
      '{"type":"text"}',
      '/type: must be one of array, boolean, integer, null, number, object, string, got "text"',
    ],
    ['{"items":[{"type":"string"}]}', '/items: must be an object or a boolean, got [{"type":"string"}]'],
    ['{"minLength":"1"}', '/minLength: must be an integer, got "1"'],
    ['{"minLength":-1}', '/minLength: must be at least 0, got -1'],
    [
      '{"maxLength":9223372036854775807}',
      '/maxLength: must be at most 9007199254740991, got 9223372036854775807; remove it, or use a smaller limit',
    ],
    ['{"multipleOf":0}', '/multipleOf: must be greater than 0, got 0'],
    ['{"allOf":[]}', '/allOf: must have at least 1 item, got []'],
    ['{"required":["a","a"]}', '/required: must have unique items, got ["a","a"]'],
    [
      '{"minimum":9007199254740993}',
      '/minimum: a double cannot hold this integer exactly; add the format int64, or use a smaller integer',
    ],
    [
      '{"enum":[{"b":9007199254740993}]}',
      '/enum: a double cannot hold this integer exactly; add the format int64, or use a smaller integer',
    ],
    [
      '{"type":"integer","format":"int64","multipleOf":0.5}',
      '/multipleOf: must be an integer if the format is int64, got 0.5; use an integer',
    ],
    [
      '{"patternProperties":{"x":{"type":"integer","format":"int64"}}}',
      '/patternProperties/x: int64 is not supported in patternProperties; list each name in properties',
    ],
    [
      '{"required":["__proto__"]}',
      '/required: every body with the key __proto__ is rejected; use a different name',
    ],
    [
      '{"type":"object","properties":{"name":{}},"required":["nmae"]}',
      '/required: nmae is not in properties; did you mean name?',
    ],
    [
      '{"allOf":[{"type":"object","properties":{"b":{}},"required":["c"]},{"properties":{"d":{}}}]}',
      '/allOf/0/required: c is not in properties; add it to properties, or remove it from required',
    ],
    ['{"$ref":"other.json"}', '/$ref: must point into openapi.json, got "other.json"; use "#/components/…"'],
    [
      '{"$ref":"#/components/%FF"}',
      '/$ref: #/components/%FF does not exist; correct the reference, or add its target',
    ],
    ['5', ': must be an object or a boolean, got 5'],
    [
      '{"anyOf":[{"$ref":"#/components/schemas/Body/properties/a"}]}',
      ': the schema refers to itself, but not through a property or an item; remove the reference',
    ],
  ])('is rejected, and the message names its position: %s', (schema, message) => {
    const place = 'openapi.json, at /components/schemas/Body/properties/a';
    expect(() => validatorOf(`{"properties":{"a":${schema}}}`)).toThrow(`${place}${message}`);
  });
});

test.each([
  '{"allOf":[{"type":"object","properties":{"a":{}},"required":["b"]},{"properties":{"b":{}}}]}',
  '{"type":"object","properties":{"a":{}},"not":{"required":["b"]}}',
  '{"type":"object","properties":{"a":{}},"required":["b"],"additionalProperties":{"type":"string"}}',
  '{"type":"object","properties":{"a":{}},"anyOf":[{"required":["b"]},{"required":["a"]}]}',
  '{"type":"object","required":["b"]}',
])('a required name does not have to be among the properties of the same schema: %s', (schema) => {
  expect(() => validatorOf(schema)).not.toThrow();
});
