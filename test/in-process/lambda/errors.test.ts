import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import {
  type ErrorSpec,
  gatewayErrors,
  isFault,
  OperationError,
  operationErrors,
} from '../../../lambda/shared/errors.ts';
import { jsonResponse } from '../../../lambda/shared/response.ts';
import { openapi } from '../../support/contract.ts';

interface Example {
  readonly description: string;
  readonly value: { readonly error: number; readonly message: string };
}
interface Response {
  readonly content: {
    readonly 'application/json': { readonly examples?: Readonly<Record<string, Example>> };
  };
}
interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, { readonly $ref?: string }>>;
}

/** The examples of a response, by name, except those that another response also has. */
const examplesOf = ({ content }: Response) =>
  Object.entries(content['application/json'].examples ?? {}).filter(([, example]) => !('$ref' in example));

/** The examples of error responses in openapi.json, by name. */
const examples = Object.values<Response>(openapi.components.responses).flatMap(examplesOf);
const bodies = examples.map(([, { value }]) => value);

/** Each example of an error, with its operation and status. */
const documented = Object.values<Record<string, Operation>>(openapi.paths)
  .flatMap((path) => Object.values(path))
  .flatMap(({ operationId, responses }) =>
    Object.entries(responses)
      .map(([status, { $ref = '' }]) => ({ status, response: openapi.components.responses[$ref.slice(23)] }))
      .filter(({ response }) => response !== undefined)
      .flatMap(({ status, response }) =>
        examplesOf(response).map(([, { value }]) => ({ operationId, status, code: value.error })),
      ),
  );

const specs: readonly ErrorSpec[] = Object.values({ ...operationErrors, ...gatewayErrors });

describe.each(specs)('the error $code, $message,', ({ code, status, message }) => {
  test('is in openapi.json with its message', () => {
    // The message of 1002 names the field, so its example does too.
    const expected = code === 1002 ? expect.stringMatching(/^id must be an integer/) : message;
    expect(bodies).toContainEqual({ error: code, message: expected });
  });

  test('is in the table of docs/errors.md with its status', () => {
    expect(readPage('docs/errors.md')).toMatch(new RegExp(`^\\| ${code} \\| ${status}\\b`, 'm'));
  });
});

test.each(examples)(
  'the example %s in openapi.json gives the same advice to clients as docs/errors.md',
  (_name, example) => {
    const { error } = example.value;
    const rows = new RegExp(`^\\| ${error} \\|[^|]*\\|[^|]*\\| (.)([^|]*) \\|$`, 'gm');
    const advice = [...readPage('docs/errors.md').matchAll(rows)].map(
      ([, first = '', rest]) => `${first.toUpperCase()}${rest}.`,
    );
    expect(example).toMatchObject({ summary: expect.stringMatching(`^${error}: .`) });
    expect(advice).toContain(example.description);
  },
);

test('openapi.json documents only known error codes', () => {
  expect(new Set(bodies.map(({ error }) => error))).toEqual(new Set(specs.map(({ code }) => code)));
});

test('error codes are int32 values, and unique, except that 2403 has two reasons', () => {
  const codes = specs.map(({ code }) => code);
  expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([gatewayErrors.filtered.code]);
  expect(codes.every((code) => Number.isInteger(code) && code > 0 && code < 2 ** 31)).toBe(true);
});

test('every operation error has the status that openapi.json documents, which is 400 for createPlant', () => {
  const operation: readonly ErrorSpec[] = Object.values(operationErrors);
  for (const { code, status } of operation) {
    const statuses = documented.filter((example) => example.code === code).map((example) => example.status);
    expect([code, new Set(statuses)]).toEqual([code, new Set([`${status}`])]);
    expect(code).toBeLessThan(2000);
  }
  const ofCreatePlant = documented.filter(({ operationId }) => operationId === 'createPlant');
  expect(ofCreatePlant.filter(({ status, code }) => code < 2000 && status !== '400')).toEqual([]);
});

test('gateway errors have the code 2000 + status', () => {
  const gateway: readonly ErrorSpec[] = Object.values(gatewayErrors);
  expect(gateway.every(({ code, status }) => code === 2000 + status)).toBe(true);
});

test('exactly the codes 15xx and 25xx are service faults', () => {
  for (const spec of specs) expect([spec.code, isFault(spec)]).toEqual([spec.code, spec.code % 1000 >= 500]);
});

test('exactly 1500 and 2429 have Retry-After', () => {
  const retryable = specs.filter(({ retryAfterSeconds }) => retryAfterSeconds !== undefined);
  expect(retryable.map(({ code }) => code)).toEqual([1500, 2429]);
});

test('an OperationError appears in the log under its name', () => {
  expect(new OperationError(operationErrors.conflict).name).toBe('OperationError');
});

function readPage(page: string): string {
  return readFileSync(join(import.meta.dirname, '../../..', page), 'utf8');
}

test('a response has every digit of an int64', () => {
  const { body } = jsonResponse(200, { id: 2n ** 63n - 1n, name: 'Oak' });
  expect(body).toBe('{"id":9223372036854775807,"name":"Oak"}');
});
