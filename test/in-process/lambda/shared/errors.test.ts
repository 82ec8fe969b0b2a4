import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import {
  type ErrorSpec,
  gatewayErrors,
  isFault,
  OperationError,
  operationErrors,
} from '../../../../lambda/shared/errors.ts';
import { openapi } from '../../../support/contract.ts';

interface Example {
  readonly value: { readonly error: number; readonly message: string };
}
interface Response {
  readonly content: {
    readonly 'application/json': { readonly examples?: Readonly<Record<string, Example>> };
  };
}
interface Operation {
  readonly responses: Readonly<Record<string, { readonly $ref?: string }>>;
}

/** The examples of a response, by name, except those that refer to a different response's example. */
const examplesOf = ({ content }: Response) =>
  Object.entries(content['application/json'].examples ?? {}).filter(([, example]) => !('$ref' in example));

/** The examples of error responses in openapi.json, by name. */
const examples = Object.values<Response>(openapi.components.responses).flatMap(examplesOf);
const bodies = examples.map(([, { value }]) => value);

/** The status and code of each error example. */
const documented = Object.values<Record<string, Operation>>(openapi.paths)
  .flatMap((path) => Object.values(path))
  .flatMap(({ responses }) =>
    Object.entries(responses)
      .map(([status, { $ref = '' }]) => ({ status, response: openapi.components.responses[$ref.slice(23)] }))
      .filter(({ response }) => response !== undefined)
      .flatMap(({ status, response }) =>
        examplesOf(response).map(([, { value }]) => ({ status, code: value.error })),
      ),
  );

const specs: readonly ErrorSpec[] = Object.values({ ...operationErrors, ...gatewayErrors });

describe.each(specs)('the error $code ($message)', ({ code, status, message }) => {
  test('has an example with its message in openapi.json', () => {
    // The message of 1002 depends on the body, so the example has a message of its own.
    const expected = code === operationErrors.invalidBody.code ? expect.any(String) : message;
    expect(bodies).toContainEqual({ error: code, message: expected });
  });

  test('is listed in docs/errors.md with its status', () => {
    expect(readPage('docs/errors.md')).toMatch(new RegExp(`^\\| *${code} *\\| *${status}\\b`, 'm'));
  });
});

test('openapi.json documents exactly the error codes in lambda/shared/errors.ts', () => {
  expect(new Set(bodies.map(({ error }) => error))).toEqual(new Set(specs.map(({ code }) => code)));
});

test('the first example of a 400, which mocks return, is 1002', () => {
  expect(bodies[0]).toMatchObject({ error: operationErrors.invalidBody.code });
});

test('all error codes are int32 values, and all except 2403, which has two reasons, are unique', () => {
  const codes = specs.map(({ code }) => code);
  expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([gatewayErrors.filtered.code]);
  expect(codes.every((code) => Number.isInteger(code) && code > 0 && code < 2 ** 31)).toBe(true);
});

test('every operation error has the status that openapi.json documents', () => {
  const operation: readonly ErrorSpec[] = Object.values(operationErrors);
  for (const { code, status } of operation) {
    const statuses = documented.filter((example) => example.code === code).map((example) => example.status);
    expect([code, new Set(statuses)]).toEqual([code, new Set([`${status}`])]);
    expect(code).toBeLessThan(2000);
  }
});

test('the code of each gateway error is 2000 plus the status', () => {
  const gateway: readonly ErrorSpec[] = Object.values(gatewayErrors);
  expect(gateway.every(({ code, status }) => code === 2000 + status)).toBe(true);
});

test('all errors with the codes 15xx and 25xx, and no others, are service faults', () => {
  for (const spec of specs) expect([spec.code, isFault(spec)]).toEqual([spec.code, spec.code % 1000 >= 500]);
});

test('only the errors 1500 and 2429 have a Retry-After header', () => {
  const retryable = specs.filter(({ retryAfterSeconds }) => retryAfterSeconds !== undefined);
  expect(retryable.map(({ code }) => code)).toEqual([1500, 2429]);
});

test('an OperationError has the name OperationError, which appears in the log', () => {
  expect(new OperationError(operationErrors.unexpected).name).toBe('OperationError');
});

function readPage(page: string): string {
  return readFileSync(join(import.meta.dirname, '../../../..', page), 'utf8');
}
