import { describe, expect, test } from '@jest/globals';
import type { NewPlant, PutPlant } from '../../../lambda/create-plant/create-plant.ts';
import { createHandler } from '../../../lambda/create-plant/handler.ts';
import { operationErrors } from '../../../lambda/shared/errors.ts';
import { operations } from '../../../lib/operations.ts';
import { lambdaContext } from '../../support/lambda-context.ts';
import { createPlantEvent } from '../create-plant-event.ts';
import { largeFields } from '../new-plant.ts';

const silent = { summary: () => {}, fault: () => {} };

interface Call {
  readonly put?: PutPlant;
  /** A Buffer is encoded in base64, as API Gateway encodes binary bodies. */
  readonly body?: string | Buffer | null;
  readonly isBase64Encoded?: boolean;
  readonly headers?: Record<string, string | undefined> | null;
}

/** Invokes the handler with an API Gateway event. Unless `put` is set, every plant is created. */
async function call({ put, body = '{}', isBase64Encoded = Buffer.isBuffer(body), headers }: Call) {
  const stored: NewPlant[] = [];
  const createAll: PutPlant = async (plant) => {
    stored.push(plant);
    return 'created';
  };
  const event = {
    ...createPlantEvent,
    body: Buffer.isBuffer(body) ? body.toString('base64') : body,
    isBase64Encoded,
    ...(headers === undefined ? {} : { headers }),
  };
  const response = await createHandler(put ?? createAll, silent)(event, lambdaContext());
  return { ...response, body: JSON.parse(response.body), stored };
}

test('createPlant is allowed only to put plants', () => {
  expect(operations[0].tables).toEqual([{ table: 'plants', actions: ['dynamodb:PutItem'] }]);
});

describe('createPlant, given a body,', () => {
  test('creates a plant whose id is larger than 2^53', async () => {
    const { statusCode, headers, body, stored } = await call({
      body: '{"id":9007199254740993,"name":"Ficus","tag":"indoor"}',
    });
    expect({ statusCode, headers, body }).toEqual({
      statusCode: 200,
      headers: { 'Content-Type': 'application/json' },
      body: { name: 'Ficus', tag: 'indoor' },
    });
    expect(stored).toEqual([{ id: 9_007_199_254_740_993n, name: 'Ficus', tag: 'indoor' }]);
  });

  test.each([
    ['{"name":"Ficus"}', 'id is required'],
    ['{"id":1}', 'name is required'],
    ['{"id":"5","name":1}', `${mustBeInt64('id')}; name must be a string`],
    ['{"id":1,"name":"Ficus","tag":null}', 'tag must be a string'],
    ['{"id":1,"name":"\\ud800"}', 'name must be well-formed Unicode, without lone surrogates'],
    ['[]', 'the body must be an object'],
    ['null', 'the body must be an object'],
  ])(
    'returns 1002 for %s, with a message that names each invalid field and its rule',
    async (body, message) => {
      await expect(call({ body })).resolves.toMatchObject({
        statusCode: 400,
        body: { error: 1002, message },
      });
    },
  );

  test.each([
    ['__proto__', '{"id":1,"name":"Ficus","__proto__":{"tag":"x"}}'],
    ['__proto__', '{"id":1,"name":"Ficus","deep":[{"\\u005f_proto__":1}]}'],
    ['constructor', '{"id":1,"name":"Ficus","constructor":{"prototype":1}}'],
  ])('returns 1002 for the key %s in %s', async (key, body) => {
    const response = await call({ body });
    expect(response.body).toEqual({ error: 1002, message: `the key ${key} is not allowed` });
    expect(response.stored).toEqual([]);
  });

  test('returns 1003 for a body larger than 2.5 MB, even if the body is not JSON', async () => {
    const tooLarge = { error: 1003, message: operationErrors.tooLarge.message };
    // The string has no closing quote, so the limit on characters outside strings does not reject this body.
    const body = `"${'x'.repeat(2_500_000)}`;
    await expect(call({ body })).resolves.toMatchObject({ body: tooLarge });
    await expect(call({ body: Buffer.from(body) })).resolves.toMatchObject({ body: tooLarge });
    await expect(call({ body: `"${'é'.repeat(1_250_000)}` })).resolves.toMatchObject({ body: tooLarge });
    await expect(call({ body: body.slice(0, -1) })).resolves.toMatchObject({ body: { error: 1001 } });
  });

  for (const field of largeFields)
    test(`accepts a 2.5 MB body in which the ${field} consists of escape sequences`, async () => {
      const large = 'x'.repeat(400_000);
      const plant = `{"id":1,"name":"Ficus","${field}":"${large.replaceAll('x', '\\u0078')}"`;
      const body = `${plant},"more":"${'\\"'.repeat((2_500_000 - plant.length - 11) / 2)}"}`;
      expect(body.length).toBeGreaterThan(2_499_990);
      await expect(call({ body: Buffer.from(body) })).resolves.toMatchObject({
        stored: [{ id: 1n, name: 'Ficus', [field]: large }],
      });
    });

  test('returns 1003 if more than 400 KB of the body is outside strings', async () => {
    const body = (spaces: number) => `{"id":1,${' '.repeat(spaces)}"name":"Ficus"}`;
    const rest = '{"":1,"":""}'.length;
    const limit = 400 * 1024;
    await expect(call({ body: body(limit - rest) })).resolves.toMatchObject({ statusCode: 200 });
    await expect(call({ body: body(limit - rest + 1) })).resolves.toMatchObject({ body: { error: 1003 } });
    await expect(call({ body: `${body(limit)}"` })).resolves.toMatchObject({ body: { error: 1003 } });
    await expect(call({ body: `"${'x'.repeat(limit)}` })).resolves.toMatchObject({ body: { error: 1001 } });
  });

  const plantOfBytes = (name: string) =>
    Buffer.concat([Buffer.from('{"id":1,"name":"'), Buffer.from(name, 'hex'), Buffer.from('"}')]);

  test.each<[string, Call]>([
    ['an object that is not closed', { body: '{' }],
    ['text that is not JSON', { body: 'plant' }],
    ['a number with a leading zero', { body: '{"id":01}' }],
    ['an extra closing brace', { body: '{"id":1,"name":"a"}}' }],
    ['100,000 nested arrays', { body: '['.repeat(100_000) }],
    ['JSON that is marked as base64', { body: '{"id":1,"name":"a"}', isBase64Encoded: true }],
    ['base64 without padding', { body: 'eyJpZCI6MSwibmFtZSI6ImEifQ', isBase64Encoded: true }],
    ['a byte order mark', { body: '\ufeff{"id":1,"name":"a"}' }],
    ['a byte order mark in base64', { body: Buffer.from('\ufeff{"id":1,"name":"a"}') }],
    ['a lone surrogate encoded in UTF-8', { body: plantOfBytes('eda080') }],
    ['an incomplete UTF-8 character', { body: plantOfBytes('e282') }],
    ['Latin-1', { body: plantOfBytes('e9') }],
  ])('returns 1001 for %s', async (_what, request) => {
    const { statusCode, body, stored } = await call(request);
    expect({ statusCode, error: body.error, stored }).toEqual({ statusCode: 400, error: 1001, stored: [] });
  });

  test.each([
    ["{'id':1}", "the body is not JSON: Expected property name or '}' at line 1 column 2"],
    ['{"name":secret}', 'the body must be JSON in UTF-8 and must not be nested too deeply'],
  ])('says what is wrong in %s and where, unless the parser would quote the body', async (body, message) => {
    await expect(call({ body })).resolves.toMatchObject({ body: { error: 1001, message } });
  });

  test.each([null, ''])('returns 1001 if the body is %p', async (body) => {
    await expect(call({ body })).resolves.toMatchObject({
      body: { error: 1001, message: 'the request has no body' },
    });
  });
});

describe('createPlant, given a valid body,', () => {
  const body = '{"id":1,"name":"Ficus"}';

  test.each([
    { 'content-type': 'application/json' },
    { 'CONTENT-TYPE': 'Application/JSON' },
    { 'Content-Type': 'application/json; charset=utf-8' },
    { 'Content-Type': 'application/json ;charset=utf-8' },
    { 'Content-Type': '\t application/json \t' },
    { 'content-type': 'text/plain', 'Content-Type': 'application/json' },
  ])('accepts the headers %j', async (headers) => {
    await expect(call({ body, headers })).resolves.toMatchObject({ statusCode: 200 });
  });

  test.each([
    null,
    {},
    { 'Content-Type': undefined },
    { 'Content-Type': 'text/plain' },
    { 'Content-Type': 'application/jsonp' },
    { 'Content-Type': 'text/plain; a=application/json' },
    { Accept: 'application/json' },
    { 'Content-Type': 'application/json\u00a0' },
    { 'Content-Type': 'application/json\u00a0; charset=utf-8' },
    { 'Content-Type': 'application/json', 'content-type': 'text/plain' },
  ])('returns 1000 for the headers %j', async (headers) => {
    await expect(call({ body, headers })).resolves.toMatchObject({
      statusCode: 400,
      body: { error: 1000, message: 'the Content-Type must be application/json' },
    });
  });
});

describe('createPlant', () => {
  const body = '{"id":1,"name":"Ficus"}';

  test.each([
    [200, { name: 'Ficus' }, 'duplicate'],
    [400, { error: 1004, message: operationErrors.conflict.message }, 'conflict'],
    [400, { error: 1003, message: operationErrors.tooLarge.message }, 'tooLarge'],
  ] as const)(
    'returns the status %i and the body %j if the outcome of the put is %s',
    async (status, expected, outcome) => {
      const { statusCode, body: result } = await call({ put: async () => outcome, body });
      expect([statusCode, result]).toEqual([status, expected]);
    },
  );

  test('returns 1599 without details for an unexpected error', async () => {
    const put = async () => {
      throw new TypeError('secret detail');
    };
    const response = await call({ put, body });
    expect(response).toMatchObject({ statusCode: 400, body: { error: 1599, message: 'unexpected error' } });
    expect(response.headers).not.toHaveProperty('Retry-After');
  });

  test.each([
    null,
    {},
    { package: 'another', data: [] },
    { package: '@middy/validator' },
    { package: '@middy/validator', data: 'x' },
    'text',
  ])('returns 1599 for an error whose cause %p is not a validation error', async (cause) => {
    const put = async () => {
      throw new Error('secret detail', { cause });
    };
    await expect(call({ put, body })).resolves.toMatchObject({ statusCode: 400, body: { error: 1599 } });
  });

  test('returns 1002 with the path and the rule of each violation, in at most 1000 characters', async () => {
    const violation = { instancePath: '/body/a~1b/m~0n', params: { at: 'c' }, message: 'is required' };
    const data = Array.from({ length: 100 }, () => violation);
    const put = async () => {
      throw new Error('invalid', { cause: { package: '@middy/validator', data } });
    };
    const expected = 'a/b.m~n.c is required; '.repeat(50).slice(0, 1_000);
    await expect(call({ put, body })).resolves.toMatchObject({ body: { error: 1002, message: expected } });
  });
});

function mustBeInt64(field: string): string {
  return `${field} must be an integer from -9223372036854775808 to 9223372036854775807`;
}
