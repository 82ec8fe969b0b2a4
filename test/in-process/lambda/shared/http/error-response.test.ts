import { describe, expect, test } from '@jest/globals';
import { OperationError, operationErrors } from '../../../../../lambda/shared/errors.ts';
import { sendNote } from '../../fixture-operation.ts';

const responseTo = (thrown: unknown) => sendNote({ put: () => Promise.reject(thrown) });

describe('errorResponse', () => {
  test('returns the detail of an OperationError, and Retry-After if a retry might succeed', async () => {
    const detail = 'the table is busy';
    const { headers, body } = await responseTo(
      new OperationError(operationErrors.dynamodbFailed, { detail }),
    );
    expect(body).toEqual({ error: 1500, message: detail });
    expect(headers).toEqual({ 'Content-Type': 'application/json', 'Retry-After': '1' });
  });

  test.each([
    undefined,
    null,
    {},
    'text',
    { package: 'another', data: [] },
    { package: '@middy/validator' },
    { package: '@middy/validator', data: 'x' },
  ])('returns 1599 without details for an error whose cause is %p', async (cause) => {
    const { statusCode, headers, body } = await responseTo(
      new TypeError('secret detail', { cause }),
    );
    expect([statusCode, body]).toEqual([400, { error: 1599, message: 'unexpected error' }]);
    expect(headers).not.toHaveProperty('Retry-After');
  });

  test('returns 1002 with the path and the rule of each violation once, in at most 1000 characters', async () => {
    const violationAt = (at: string) => ({
      instancePath: '/body/a~1b/m~0n',
      params: { at },
      message: 'is required',
    });
    const data = ['c', 'c', 'x'.repeat(1_000)].map(violationAt);
    const { body } = await responseTo(
      new Error('invalid', { cause: { package: '@middy/validator', data } }),
    );
    expect(body).toEqual({
      error: 1002,
      message: `a/b.m~n.c is required; a/b.m~n.${'x'.repeat(1_000)}`.slice(0, 1_000),
    });
  });

  test.each([
    ['{"id":1,\n     "text":"a"', "Expected ',' or '}' after property value at line 2 column 16"],
    ['{"id":01}', 'Unexpected number at line 1 column 8'],
    // The rest of this message would quote the body.
    ['{"text":secret}', 'Unexpected token'],
  ])('returns 1001 and says what was wrong where, for %j', async (body, message) => {
    await expect(sendNote({ body })).resolves.toMatchObject({
      statusCode: 400,
      body: { error: 1001, message: `the body is not JSON: ${message}` },
    });
  });

  test('returns 1001 without a detail for a syntax error after the end of the JSON', async () => {
    const { notJson } = operationErrors;
    await expect(sendNote({ body: '{"id":1,"text":"a"}}' })).resolves.toMatchObject({
      body: { error: 1001, message: notJson.message },
    });
  });
});
