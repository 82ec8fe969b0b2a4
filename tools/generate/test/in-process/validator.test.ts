import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import fc from 'fast-check';
import { generatedValidator } from '../../../../test/support/generated-validator.ts';
import { casesOr, seed } from '../../../../test/support/random-cases.ts';

const name = fc.constantFrom('a', 'b', 'c', 'a/b', 'm~n', '1');
const text = fc.oneof(
  fc.constantFrom('', 'a', 'ab', 'abc', '🌱', '🌱🌱', '1', 'A1', 'null'),
  fc.constantFrom(
    '2024-02-29',
    '2023-02-29',
    '2024-12-31T23:59:60Z',
    '2024-06-01T12:00:00+02:00',
    '12:00:00Z',
  ),
  fc.constantFrom('x@example.com', 'x@', 'https://example.com/a?b#c', 'urn:a:b', '//example.com', ':'),
  fc.constantFrom('2eb8aa08-aa98-11ea-b4aa-73b441d16380', '2eb8aa08aa9811eab4aa73b441d16380'),
);
const number = fc.oneof(
  fc.integer({ min: -3, max: 12 }),
  fc.constantFrom(0.5, -0, 2.5, 1e15, 2 ** 31, -(2 ** 31), 2 ** 31 - 1, 2 ** 53),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', maxDepth: 3, withCrossShrink: true },
    number,
    text,
    fc.constantFrom(null, true, false),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4 }),
  ),
}));

const count = fc.nat(3);
const type = fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'array', 'object');
const rule = fc.record(
  {
    type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
    enum: fc.array(value, { minLength: 1, maxLength: 4 }),
    const: value,
    minLength: count,
    maxLength: count,
    pattern: fc.constantFrom('^a', '\\d', '^\\p{L}*$', '🌱$'),
    format: fc.constantFrom('int32', 'date', 'date-time', 'uuid', 'email', 'uri'),
    minimum: number,
    maximum: number,
    exclusiveMinimum: number,
    exclusiveMaximum: number,
    multipleOf: fc.constantFrom(1, 2, 3, 0.5),
    minItems: count,
    maxItems: count,
    uniqueItems: fc.boolean(),
    minProperties: count,
    maxProperties: count,
    required: fc.uniqueArray(name, { maxLength: 2 }),
    dependentRequired: fc.dictionary(name, fc.uniqueArray(name, { maxLength: 2 }), { maxKeys: 2 }),
    description: fc.constant('An annotation.'),
  },
  { requiredKeys: [] },
);

/** Only a few rules for each schema, because with many rules, no body would be valid. */
const few = <Rules extends object>(rules: fc.Arbitrary<Rules>, most: number) =>
  fc.tuple(rules, fc.infiniteStream(fc.nat(100))).map(([all, order]) => {
    const entries = Object.entries(all).map((entry) => ({ entry, at: order.next().value ?? 0 }));
    return Object.fromEntries(
      entries
        .sort((a, b) => a.at - b.at)
        .slice(0, most)
        .map(({ entry }) => entry),
    );
  });

/** A schema with supported keywords only. @param refs the schemas that it can refer to */
const schemaWith = (refs: readonly string[]) =>
  fc.letrec<{ schema: unknown }>((tie) => {
    const schema = tie('schema');
    const map = fc.dictionary(name, schema, { minKeys: 1, maxKeys: 3 });
    const list = fc.array(schema, { minLength: 1, maxLength: 3 });
    const applicators = fc.record(
      {
        properties: map,
        patternProperties: fc.dictionary(fc.constantFrom('^a', '[b-d]'), schema, { maxKeys: 2 }),
        additionalProperties: schema,
        propertyNames: schema,
        dependentSchemas: fc.dictionary(name, schema, { maxKeys: 2 }),
        items: schema,
        prefixItems: list,
        contains: schema,
        minContains: count,
        maxContains: count,
        allOf: list,
        anyOf: list,
        oneOf: list,
        not: schema,
        if: schema,
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: schema,
        else: schema,
        ...(refs.length === 0
          ? {}
          : { $ref: fc.constantFrom(...refs.map((it) => `#/components/schemas/${it}`)) }),
      },
      { requiredKeys: [] },
    );
    return {
      schema: fc.oneof(
        { maxDepth: 2, depthSize: 'small' },
        { weight: 3, arbitrary: few(rule, 2) },
        { weight: 1, arbitrary: fc.boolean() },
        {
          weight: 6,
          arbitrary: fc.tuple(few(rule, 1), few(applicators, 3)).map(([a, b]) => ({ ...a, ...b })),
        },
      ),
    };
  }).schema;

/** Without maxContains or without allErrors, Ajv 8.20 accepts [] even if `contains` rejects it. */
const limitContains = (_key: string, value: unknown) =>
  value instanceof Object && 'contains' in value ? { maxContains: 99, ...value } : value;

const schemas = fc.record({ Body: schemaWith(['A', 'B']), A: schemaWith(['B']), B: schemaWith([]) });

describe('the generated validator', () => {
  test('agrees with Ajv on random bodies, for random schemas with every supported keyword except int64', () => {
    const seen = { valid: 0, invalid: 0 };
    const cases = fc.tuple(schemas, fc.array(value, { minLength: 20, maxLength: 20 }));
    fc.assert(
      fc.property(cases, ([components, bodies]) => {
        const ajv = new Ajv2020({ strict: false, allErrors: true, formats: fullFormats });
        // Ajv's code for unevaluatedProperties, which we do not support, throws if the schema also has
        // patternProperties.
        Object.assign(ajv.opts, { unevaluated: false });
        const schemas = JSON.stringify(components);
        // These objects come from JSON.parse, because Ajv compares them with objects in a body that also do.
        ajv.addSchema(JSON.parse(`{"components":{"schemas":${schemas}}}`, limitContains), 'openapi.json');
        const expected = ajv.compile({ $ref: 'openapi.json#/components/schemas/Body' });
        const check = generatedValidator(schemas);
        for (const body of bodies) {
          const json = JSON.stringify(body);
          const { valid, errors } = check(json);
          seen[valid ? 'valid' : 'invalid'] += 1;
          if (valid !== expected(JSON.parse(json)))
            throw new Error(`${json} is ${valid ? '' : 'not '}accepted`);
          if (valid !== (errors.length === 0)) throw new Error(`${json} has ${errors.length} errors`);
        }
      }),
      { numRuns: casesOr(100), seed, endOnFailure: true, includeErrorInReport: true },
    );
    expect(Math.min(seen.valid, seen.invalid)).toBeGreaterThan(100);
  });
});

const MAX = 2n ** 63n - 1n;

/** A validator for a body with the given schema, which may refer to the other schemas. */
const validatorOf = (schema: string, others = '') => generatedValidator(`{"Body":${schema}${others}}`);

describe('an int64 in a generated validator', () => {
  test.each([
    ['minimum', '9007199254740993', '9007199254740993', '9007199254740992'],
    ['maximum', '9007199254740993', '9007199254740993', '9007199254740994'],
    ['exclusiveMinimum', '9007199254740992', '9007199254740993', '9007199254740992'],
    ['exclusiveMaximum', '9007199254740993', '9007199254740992', '9007199254740993'],
    ['multipleOf', '3', '9007199254740993', '9007199254740992'],
    ['multipleOf', '9007199254740993', '9007199254740993', '9223372036854775808'],
    ['const', '9007199254740993', '9007199254740993', '9007199254740992'],
    ['enum', '[1,9007199254740993]', '9007199254740993', '9007199254740992'],
    ['minimum', '9007199254740993.0', '9007199254740993', '9007199254740992'],
    ['maximum', '-9.007199254740993e15', '-9007199254740993', '-9007199254740992'],
    ['minimum', '1', '1.0', '0'],
    ['minimum', '0.5', '1', '0'],
    ['format', '"int64"', `${MAX}`, `${MAX + 1n}`],
    ['format', '"int64"', '-0', '1.5'],
  ])('is compared exactly by %s %s: %s is accepted, %s is not', (keyword, value, accepted, rejected) => {
    const schema = `{"type":"integer","format":"int64","${keyword}":${value}}`;
    const places: [string, (digits: string) => string][] = [
      [schema, (digits) => digits],
      [`{"properties":{"a":{"items":${schema}}}}`, (digits) => `{"a":[${digits}]}`],
      [`{"additionalProperties":{"prefixItems":[true,${schema}]}}`, (digits) => `{"x":[1,${digits}]}`],
      // The rule is next to a $ref to the type, or in a different schema that applies to the same value.
      [`{"$ref":"#/components/schemas/Id","${keyword}":${value}}`, (digits) => digits],
      [`{"allOf":[{"$ref":"#/components/schemas/Id"},{"${keyword}":${value}}]}`, (digits) => digits],
    ];
    for (const [each, bodyOf] of keyword === 'format' ? places.slice(0, 3) : places) {
      const check = validatorOf(each, ',"Id":{"type":"integer","format":"int64"}');
      expect([each, check(bodyOf(accepted)).valid, check(bodyOf(rejected)).valid]).toEqual([
        each,
        true,
        false,
      ]);
    }
  });

  test('becomes a bigint, and any other number does not', () => {
    const int64 = '{"type":["integer","null"],"format":"int64"}';
    const check = validatorOf(
      `{"properties":{"owner":${int64},"count":{"type":"integer"},"line":{"items":{"properties":{"sku":${int64}}}}}}`,
    );
    expect(check(`{"owner":${MAX},"count":5,"line":[{"sku":7},{"sku":null}]}`)).toMatchObject({
      valid: true,
      body: { owner: MAX, count: 5, line: [{ sku: 7n }, { sku: null }] },
    });
  });

  test('works in a recursive schema, and in a union with other types', () => {
    const check = validatorOf(
      '{"required":["id"],"properties":{"id":{"anyOf":[{"type":"integer","format":"int64"},{"type":"string"}]},"next":{"$ref":"#/components/schemas/Body"}}}',
    );
    expect(check(`{"id":"x","next":{"id":${MAX}}}`)).toMatchObject({
      valid: true,
      body: { next: { id: MAX } },
    });
    expect(check('{"id":1,"next":{"id":1.5}}').valid).toBe(false);
    expect(check('{"id":1,"next":{"id":1,"next":{}}}').errors).toMatchObject([
      { instancePath: '/body/next/next', params: { at: 'id' }, message: 'is required' },
    ]);
  });

  test('equals the same number within a const object, and differs in uniqueItems from numbers with other digits', () => {
    const items = '{"type":"array","uniqueItems":true,"items":{"type":"integer","format":"int64"}}';
    expect(validatorOf(items)('[9007199254740992,9007199254740993]').valid).toBe(true);
    expect(validatorOf(items)('[9007199254740993,9007199254740993.0]').valid).toBe(false);
    const id = '"properties":{"id":{"type":"integer","format":"int64"}}';
    expect(validatorOf(`{${id},"const":{"id":5,"a":1}}`)('{"a":1,"id":5.0}').valid).toBe(true);
  });
});

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
  ])('names the rule of %s that %s breaks: "%s"', (schema, body, message) => {
    const { errors } = validatorOf(`{"properties":{"a":${schema}}}`)(`{"a":${body}}`);
    expect(errors.at(-1)).toEqual({ instancePath: '/body/a', params: {}, message });
  });

  test('names the property that breaks propertyNames', () => {
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
      'prefixItems of an item',
      '{"items":{"prefixItems":[{"minimum":1}],"contains":{}}}',
      ['[[1]]'],
      ['[[]]'],
    ],
    ['no values, and extensions', '{"properties":{"a":{"enum":[]}},"x-a":{"type":1}}', ['{}'], ['{"a":1}']],
    ['a string that cannot be stored', '{"not":{"type":"string"}}', ['1'], ['"\\ud800"']],
  ])('follows the specification for %s: %s', (_what, schema, accepted, rejected) => {
    const check = validatorOf(schema);
    expect(accepted.map((json) => [json, check(json).valid])).toEqual(accepted.map((json) => [json, true]));
    expect(rejected.map((json) => [json, check(json).valid])).toEqual(rejected.map((json) => [json, false]));
  });

  test('knows the days of every year', () => {
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
  ])('rejects a body that is so deep that the code for %s would overflow the stack', (schema, body) => {
    expect(validatorOf(schema)(body)).toMatchObject({
      valid: false,
      errors: [{ message: 'must be shorter or less deeply nested' }],
    });
  });

  test('reports one wrong element of each array and map, whatever their size', () => {
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

describe('a keyword that is not supported', () => {
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
      '/format: the format int64 requires type "integer"; set the type next to the format',
    ],
    [
      '{"pattern":"^a\\\\-b$"}',
      '/pattern: must be a regular expression with the flag u, got "^a\\\\-b$" (Invalid escape); correct it',
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
      '/multipleOf: must be an integer for the format int64, got 0.5; round it',
    ],
    [
      '{"patternProperties":{"x":{"type":"integer","format":"int64"}}}',
      '/patternProperties/x: int64 is not supported in patternProperties; list each name in properties',
    ],
    [
      '{"required":["__proto__"]}',
      '/required: every body with the key __proto__ is rejected; use another name',
    ],
    [
      '{"type":"object","properties":{"name":{}},"required":["nmae"]}',
      '/required: nmae is not in properties; did you mean name?',
    ],
    [
      '{"allOf":[{"type":"object","properties":{"b":{}},"required":["c"]},{"properties":{"d":{}}}]}',
      '/allOf/0/required: c is not in properties; add it there, or remove it here',
    ],
    ['{"$ref":"other.json"}', '/$ref: must point into openapi.json, got "other.json"; use "#/components/…"'],
    [
      '{"$ref":"#/components/%FF"}',
      '/$ref: #/components/%FF does not exist; correct the reference, or add its target',
    ],
    ['5', ': must be an object or a boolean, got 5'],
    [
      '{"anyOf":[{"$ref":"#/components/schemas/Body/properties/a"}]}',
      ': refers to itself directly, not through one of its properties or items; remove the reference',
    ],
  ])('is rejected with its position: %s', (schema, message) => {
    const place = 'openapi.json, at /components/schemas/Body/properties/a';
    expect(() => validatorOf(`{"properties":{"a":${schema}}}`)).toThrow(`${place}${message}`);
  });

  test.each([
    '{"allOf":[{"type":"object","properties":{"a":{}},"required":["b"]},{"properties":{"b":{}}}]}',
    '{"type":"object","properties":{"a":{}},"not":{"required":["b"]}}',
    '{"type":"object","properties":{"a":{}},"required":["b"],"additionalProperties":{"type":"string"}}',
    '{"type":"object","properties":{"a":{}},"anyOf":[{"required":["b"]},{"required":["a"]}]}',
    '{"type":"object","required":["b"]}',
  ])('does not include a required name that has no property: %s', (schema) => {
    expect(() => validatorOf(schema)).not.toThrow();
  });
});
