import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { NewPlant, PutPlant } from '../../../lambda/create-plant/create-plant.ts';
import { createHandler } from '../../../lambda/create-plant/handler.ts';
import { OperationError, operationErrors } from '../../../lambda/shared/errors.ts';

const PLENTY_OF_TIME_MS = 10_000;

const silent = { summary: () => {}, fault: () => {} };

interface Call {
  readonly put?: PutPlant;
  /** Bytes come as API Gateway hands them on: in base64. */
  readonly body?: string | Buffer | null;
  readonly headers?: Record<string, string | undefined> | null;
  readonly remainingTimeMs?: number;
}

/** Sends an API Gateway event through the pipeline, with a store that takes everything where none is given. */
async function call({ put, body = '{}', headers, remainingTimeMs = PLENTY_OF_TIME_MS }: Call) {
  const stored: NewPlant[] = [];
  const takeAll: PutPlant = async (plant) => {
    stored.push(plant);
    return 'created';
  };
  const event = {
    ...JSON.parse(readFileSync(join(import.meta.dirname, '../../../events/create-plant.json'), 'utf8')),
    body: Buffer.isBuffer(body) ? body.toString('base64') : body,
    isBase64Encoded: Buffer.isBuffer(body),
    ...(headers === undefined ? {} : { headers }),
  };
  const context = JSON.parse('{}');
  context.getRemainingTimeInMillis = () => remainingTimeMs;
  const response = await createHandler(put ?? takeAll, silent)(event, context);
  return { ...response, body: JSON.parse(response.body), stored };
}

describe('the body', () => {
  test('is a NewPlant with an id beyond 2^53', async () => {
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
    ['{}', 'id is required; name is required'],
    ['{"id":"5","name":1}', `${mustBeInt64('id')}; name must be a string`],
    ['{"id":1,"name":"Ficus","tag":null}', 'tag must be a string'],
    ['{"id":1,"name":"\\ud800"}', 'name must be well-formed Unicode, and it has a lone surrogate'],
    ['[]', 'the body must be an object'],
    ['null', 'the body must be an object'],
    ['"id"', 'the body must be an object'],
  ])('%s is no NewPlant, and the message names each field and rule', async (body, message) => {
    await expect(call({ body })).resolves.toMatchObject({ statusCode: 400, body: { error: 1002, message } });
  });

  test.each(['"5"', 'true', 'null', '[5]', '{}', '1.5', '9223372036854775808', '1e400'])(
    'an id of %s is refused',
    async (id) => {
      const { body, stored } = await call({ body: `{"id":${id},"name":"Ficus"}` });
      expect(body).toEqual({ error: 1002, message: mustBeInt64('id') });
      expect(stored).toEqual([]);
    },
  );

  test('may have fields that a plant does not, prototypes included', async () => {
    const { statusCode, stored } = await call({
      body: '{"id":1,"name":"Ficus","__proto__":{"tag":"x"},"constructor":{"prototype":1},"id2":[{"id":"x"}]}',
    });
    expect(statusCode).toBe(200);
    expect(stored).toStrictEqual([{ id: 1n, name: 'Ficus' }]);
  });

  test('may come as bytes', async () => {
    const { statusCode, stored } = await call({
      body: Buffer.from('{"id":9007199254740993,"name":"Fïcus 🌱"}'),
    });
    expect(statusCode).toBe(200);
    expect(stored).toEqual([{ id: 9_007_199_254_740_993n, name: 'Fïcus 🌱' }]);
  });

  test.each([
    ['a stray byte', 'ff'],
    ['a lone surrogate', 'eda080'],
    ['an overlong form', 'c080'],
    ['half a character', 'e282'],
    ['Latin-1', 'e9'],
  ])('must be UTF-8, and not have %s', async (_what, bytes) => {
    const body = Buffer.concat([
      Buffer.from('{"id":1,"name":"'),
      Buffer.from(bytes, 'hex'),
      Buffer.from('"}'),
    ]);
    const response = await call({ body });
    expect(response.body).toMatchObject({ error: 1001 });
    expect(response.stored).toEqual([]);
  });

  test('that gives a field twice means the last', async () => {
    const { stored } = await call({ body: '{"id":"1","id":2,"name":"a","name":"b"}' });
    expect(stored).toEqual([{ id: 2n, name: 'b' }]);
  });

  test.each([null, ''])('%p is none', async (body) => {
    await expect(call({ body })).resolves.toMatchObject({
      body: { error: 1001, message: 'the request has no body' },
    });
  });

  test.each(['{', 'plant', "{'id':1}", '{"id":01}', '{"id":1,"name":"a"}}', '['.repeat(100_000)])(
    '%.20s is not JSON',
    async (body) => {
      await expect(call({ body })).resolves.toMatchObject({ statusCode: 400, body: { error: 1001 } });
    },
  );
});

describe('the media type', () => {
  const body = '{"id":1,"name":"Ficus"}';

  test.each([
    { 'content-type': 'application/json' },
    { 'CONTENT-TYPE': 'Application/JSON' },
    { 'Content-Type': 'application/json; charset=utf-8' },
    { 'Content-Type': 'application/json ;charset=utf-8' },
  ])('%j is taken', async (headers) => {
    await expect(call({ body, headers })).resolves.toMatchObject({ statusCode: 200 });
  });

  test.each([
    null,
    {},
    { 'Content-Type': '' },
    { 'Content-Type': undefined },
    { 'Content-Type': 'text/plain' },
    { 'Content-Type': 'application/jsonp' },
    { 'Content-Type': 'application/problem+json' },
    { 'Content-Type': 'text/plain; a=application/json' },
    { Accept: 'application/json' },
  ])('%j is refused', async (headers) => {
    await expect(call({ body, headers })).resolves.toMatchObject({
      statusCode: 400,
      body: { error: 1000, message: 'the Content-Type must be application/json' },
    });
  });
});

describe('a failure', () => {
  const body = '{"id":1,"name":"Ficus"}';

  test('of the store says when to try again', async () => {
    const put = async () => {
      throw new OperationError(operationErrors.dynamodbFailed, { cause: new Error('secret detail') });
    };
    await expect(call({ put, body })).resolves.toMatchObject({
      statusCode: 400,
      headers: { 'Content-Type': 'application/json', 'Retry-After': '1' },
      body: { error: 1500, message: operationErrors.dynamodbFailed.message },
    });
  });

  test('that nobody expected tells nothing of what is inside', async () => {
    const put = async () => {
      throw new TypeError('secret detail');
    };
    const response = await call({ put, body });
    expect(response).toMatchObject({ statusCode: 400, body: { error: 1599, message: 'unexpected error' } });
    expect(response.headers).not.toHaveProperty('Retry-After');
  });

  test.each([null, {}, { package: 'another', data: [] }, 'text'])(
    'is not taken for a violation by its cause %p',
    async (cause) => {
      const put = async () => {
        throw new Error('secret detail', { cause });
      };
      await expect(call({ put, body })).resolves.toMatchObject({ statusCode: 400, body: { error: 1599 } });
    },
  );

  test('to answer in time is answered for', async () => {
    const put = () => new Promise<never>(() => {});
    await expect(call({ put, body, remainingTimeMs: 520 })).resolves.toMatchObject({
      statusCode: 400,
      headers: { 'Retry-After': '1' },
      body: { error: 1500 },
    });
  });
});

function mustBeInt64(field: string): string {
  return `${field} must be an integer from -9223372036854775808 to 9223372036854775807`;
}
