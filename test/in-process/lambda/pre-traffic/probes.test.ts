import { describe, expect, jest, test } from '@jest/globals';
import { operations } from '../../../../lambda/generated/operations.ts';
import {
  jsonProbes,
  operationProbe,
  type Probe,
  probesOf,
} from '../../../../lambda/pre-traffic/probes.ts';
import { operationErrors } from '../../../../lambda/shared/errors.ts';
import { lambdaContext } from '../../../support/lambda-context.ts';
import { noteHandler } from '../fixture-operation.ts';

const JSON_TYPE = { 'Content-Type': 'application/json' };

const accepts = ({ isExpected }: Probe, result: unknown, failed = false) =>
  isExpected({ failed, payload: JSON.stringify(result) });

describe.each(jsonProbes)('the probe with $name', (probe) => {
  // Sends the probe to an operation that is healthy, except that it would store anything.
  const healthy = async () => {
    const put = () => Promise.reject(new Error('the probe was stored'));
    const event = JSON.parse(JSON.stringify(probe.event));
    return noteHandler(put)(event, lambdaContext());
  };

  test('accepts the response of an operation', async () => {
    expect(accepts(probe, await healthy())).toBe(true);
  });

  test('rejects an error of the function that resembles a response', async () => {
    expect(accepts(probe, await healthy(), true)).toBe(false);
  });

  test.each<[string, (body: object) => object]>([
    ['a different status', () => ({ statusCode: 200 })],
    ['a different error code', (body) => ({ body: JSON.stringify({ ...body, error: 1500 }) })],
    ['an object as its body', (body) => ({ body })],
    ['null in its body', () => ({ body: 'null' })],
    ['HTML in its body', () => ({ body: '<html>' })],
    [
      'a message that is not a string',
      (body) => ({ body: JSON.stringify({ ...body, message: null }) }),
    ],
    ['a base64 body', () => ({ isBase64Encoded: true })],
    [
      'a media type other than application/json',
      () => ({ headers: { 'Content-Type': 'text/html' } }),
    ],
    ['a field that API Gateway does not accept', () => ({ cookies: [] })],
  ])('rejects a response with %s', async (_what, change) => {
    const response = await healthy();
    expect(accepts(probe, { ...response, ...change(JSON.parse(response.body)) })).toBe(false);
  });
});

describe('jsonProbes', () => {
  test('are the probes of an operation with a JSON body that has no others', async () => {
    jest.resetModules();
    const operations = [
      { functionName: 'get-note', hasBody: false },
      { functionName: 'create-note', hasBody: true },
    ];
    jest.doMock('../../../../lambda/generated/operations.ts', () => ({ operations }));
    const probes = await import('../../../../lambda/pre-traffic/probes.ts');
    expect(probes.probesOf('create-note')).toBe(probes.jsonProbes);
  });

  test('are right for each operation that gets them: its schema rejects the first one', async () => {
    const accepted: string[] = [];
    for (const { functionName, hasBody } of operations) {
      if (!hasBody || probesOf(functionName) !== jsonProbes) continue;
      const validator = `../../../../lambda/generated/validate-${functionName}-event.js`;
      const { default: validate } = await import(validator);
      if (validate({ body: [] })) accepted.push(functionName);
    }
    expect(accepted).toEqual([]);
  });
});

describe('operationProbe', () => {
  const { notJson } = operationErrors;
  const error = (length: number) =>
    JSON.stringify({ error: notJson.code, message: 'x'.repeat(length) });
  const request = { pathParameters: { id: '0' } };
  const probe = operationProbe('an id', [notJson, { status: 200 }, { status: 204 }], request);

  test('adds what the type of the event requires, and describes what it expects', () => {
    expect(probe).toMatchObject({
      event: { requestContext: {}, isBase64Encoded: false, ...request },
      expected: 'status 400 with error 1001 or 200 or 204',
    });
  });

  test.each<[boolean, string, object]>([
    [true, 'a 200', { statusCode: 200, headers: JSON_TYPE, body: '{}' }],
    [true, 'the error', { statusCode: 400, headers: JSON_TYPE, body: error(1_000) }],
    [true, 'a 204 with an empty body', { statusCode: 204, body: '' }],
    [true, 'a 204 without a body', { statusCode: 204 }],
    [false, 'a 204 with a body', { statusCode: 204, body: '{}' }],
    [false, 'a 204 with a media type', { statusCode: 204, headers: JSON_TYPE, body: '' }],
    [false, 'a 200 without a body', { statusCode: 200 }],
    [
      false,
      'the error with a long message',
      { statusCode: 400, headers: JSON_TYPE, body: error(1_001) },
    ],
  ])('returns a probe that expects (%p) %s', (expected, _what, result) => {
    expect(accepts(probe, result)).toBe(expected);
  });
});

test.each(probesOf('authorize'))(
  'the probe with $name rejects a result, even one that resembles an error',
  (probe) => {
    expect(accepts(probe, { errorMessage: 'Unauthorized' }, true)).toBe(true);
    for (const result of [null, { errorMessage: 'Unauthorized' }])
      expect(accepts(probe, result)).toBe(false);
  },
);
