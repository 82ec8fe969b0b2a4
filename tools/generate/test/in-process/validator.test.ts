import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { validatorOf } from '../../../../test/support/generated-validator.ts';

const MAX = 2n ** 63n - 1n;
const quoted = (texts: string) => texts.split('|').map((text) => `"${text}"`);

describe('a generated validator', () => {
  test.each([
    ['{"type":["object","null"]}', '[]', 'must be an object or null'],
    [
      '{"type":["integer","null"],"format":"int64"}',
      '"1"',
      `must be an integer from ${-MAX - 1n} to ${MAX} or null`,
    ],
    ['{"minLength":1}', '""', 'must have at least 1 character'],
    ['{"exclusiveMaximum":1}', '1', 'must be less than 1'],
    ['{"minItems":1}', '[]', 'must have at least 1 item'],
    ['{"maxItems":0}', '[1]', 'must have at most 0 items'],
    ['{"prefixItems":[true],"items":false}', '[1,2]', 'must have at most 1 item'],
    ['{"enum":[]}', '1', 'is not allowed'],
    ['{"minProperties":1}', '{}', 'must have at least 1 property'],
    ['{"minProperties":2}', '{}', 'must have at least 2 properties'],
    ['{"maxProperties":0}', '{"a":1}', 'must have at most 0 properties'],
    ['{"maxProperties":1}', '{"a":1,"b":1}', 'must have at most 1 property'],
    ['{"contains":false}', '[]', 'must have at least 1 item matching the schema under "contains"'],
    ['{"anyOf":[false,false]}', '1', 'must match at least one schema under "anyOf"'],
    ['{"if":true,"then":false}', '1', 'must match the schema under "then"'],
    ['{"type":"integer","format":"int32"}', '2147483648', 'must have the format int32'],
    ['{"type":"string"}', '"\\ud800"', 'must be well-formed Unicode, without lone surrogates'],
  ])('reports why %s rejects %s: "%s"', (schema, body, message) => {
    const { errors } = validatorOf(`{"properties":{"a":${schema}}}`)(`{"a":${body}}`);
    expect(errors.at(-1)).toEqual({ instancePath: '/body/a', params: {}, message });
  });

  test('reports which property name propertyNames rejects', () => {
    const { errors } = validatorOf('{"properties":{"a":{"propertyNames":{"maxLength":1}}}}')(
      '{"a":{"bb":1}}',
    );
    const message = 'has a name that "propertyNames" does not allow';
    const place = { instancePath: '/body/a', params: { at: 'bb' } };
    expect(errors).toMatchObject([
      { ...place, message: 'must have at most 1 character' },
      { ...place, message },
    ]);
  });

  test.each([
    ['multipleOf', '{"multipleOf":0.01}', ['19.99', '0.3', '1e300', '0'], ['19.999', '1e400']],
    ['multipleOf', '{"multipleOf":1}', ['1e21', '5.0'], ['1.5']],
    [
      'names that every object inherits',
      '{"required":["toString"],"properties":{"toString":{},"constructor":{"type":"string"}}}',
      ['{"toString":1}'],
      ['{}', '{"toString":1,"constructor":1}'],
    ],
    [
      'uuid',
      '{"format":"uuid"}',
      ['"2EB8AA08-aa98-11ea-b4aa-73b441d16380"'],
      quoted('urn:uuid:2eb8aa08-aa98-11ea-b4aa-73b441d16380|2eb8aa08aa98-11ea-b4aa-73b441d16380'),
    ],
    [
      'date-time',
      '{"format":"date-time"}',
      [
        ...quoted('1985-04-12T00:59:59.999999999999999Z|1963-06-19t08:30:06z|2024-02-29T23:59:59+23:59'),
        ...quoted('1998-12-31T23:59:60Z|1998-12-31T15:59:60.123-08:00'),
      ],
      [
        ...quoted('2016-12-31T24:59:60+01:00|1998-12-31T22:59:60Z|1998-12-31T23:58:60-00:00'),
        ...quoted('2024-02-29T12:00:00+01|2024-02-29T12:00:00+0100|2024-02-29T12:00:00|2024-02-29 12:00:00Z'),
        ...quoted('2023-02-29T12:00:00Z|2024-02-29T12:00:61Z|2024-02-29T12:60:00Z|2024-02-29T12:00:00.Z'),
        ...quoted('2024-02-29T12:00:00-24:00|2024-02-29T12:00:00+00:60|1963-06-1৪T00:00:00Z'),
      ],
    ],
    [
      'int32s next to int64s',
      '{"oneOf":[{"type":"integer","format":"int64","minimum":2147483648},{"type":"integer","format":"int32"}]}',
      ['2147483648', '5'],
      ['-2147483649'],
    ],
    [
      'int64s with inherited names',
      '{"additionalProperties":{"type":"integer","format":"int64"},"properties":{"a":true}}',
      ['{"toString":5}'],
      ['{"toString":1.5}'],
    ],
    [
      'prefixItems in an item',
      '{"items":{"prefixItems":[{"minimum":1}],"contains":{}}}',
      ['[[1]]'],
      ['[[]]'],
    ],
    [
      'an empty enum, and an extension keyword',
      '{"properties":{"a":{"enum":[]}},"x-a":{"type":1}}',
      ['{}'],
      ['{"a":1}'],
    ],
    ['a string that cannot be stored', '{"not":{"type":"string"}}', ['1'], ['"\\ud800"']],
  ])('follows the specification for %s: %s', (_what, schema, accepted, rejected) => {
    const check = validatorOf(schema);
    expect(accepted.map((json) => [json, check(json).valid])).toEqual(accepted.map((json) => [json, true]));
    expect(rejected.map((json) => [json, check(json).valid])).toEqual(rejected.map((json) => [json, false]));
  });

  test('accepts exactly the dates that exist, including leap days', () => {
    const check = validatorOf('{"format":"date"}');
    const ajv = new Ajv2020({ formats: fullFormats }).compile({ type: 'string', format: 'date' });
    const pad = (number: number, width: number) => `${number}`.padStart(width, '0');
    for (let year = 0; year < 10_000; year += year % 100 < 5 ? 1 : 13) {
      for (const day of ['02-28', '02-29', '02-30', '04-31', '12-31', '13-01', '00-10', '06-00', '1-1']) {
        const date = `${pad(year, 4)}-${day}`;
        if (check(JSON.stringify(date)).valid !== ajv(date)) throw new Error(date);
      }
    }
  });

  const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
  const long = `"${'a.'.repeat(5_000_000)}@a"`;

  test.each([
    ['{"properties":{"a":{"$ref":"#/components/schemas/Body"}}}', deep],
    ['{"uniqueItems":true}', `[${deep}]`],
    ['{"enum":[1,{}]}', deep],
    ['{"const":[]}', deep],
    ['{"pattern":"^(a|.)*$"}', long],
    ['{"patternProperties":{"^(a|.)*$":false}}', `{${long}:1}`],
    ['{"format":"email"}', long],
  ])('rejects a body that is so deep or long that %s would overflow the stack', (schema, body) => {
    expect(validatorOf(schema)(body)).toMatchObject({
      valid: false,
      errors: [{ message: 'must be shorter or less deeply nested' }],
    });
  });

  test('reports only one wrong element of each array and map, however large they are', () => {
    const item = '{"properties":{"a":{"type":"string"}}}';
    const check = validatorOf(
      `{"properties":{"list":{"items":{"$ref":"#/components/schemas/Item"}},"map":{"additionalProperties":{"$ref":"#/components/schemas/Item"}}}}`,
      `,"Item":${item}`,
    );
    const list = Array.from({ length: 100_000 }, () => ({ a: 1 }));
    const map = Object.fromEntries(list.map((each, index) => [index, each]));
    const { valid, errors } = check(JSON.stringify({ list, map }));
    expect([valid, errors.length]).toEqual([false, 2]);
  });
});
