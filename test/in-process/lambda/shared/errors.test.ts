import { expect, test } from '@jest/globals';
import {
  type ErrorSpec,
  gatewayErrors,
  isFault,
  operationErrors,
} from '../../../../lambda/shared/errors.ts';
import { listOperations } from '../../../../lib/operations.ts';
import type { Json } from '../../../support/assembly/template-resources.ts';
import { tableRows } from '../../../support/pages/code-blocks.ts';
import { dereference, openapi } from '../../../support/service/contract.ts';

/** The bodies of a response's examples, except those that refer to a different response's example. */
const bodiesOf = ({ content }: Json): { error: number; message: string }[] =>
  Object.values<Json>(content['application/json'].examples ?? {}).flatMap(
    ({ value }) => value ?? [],
  );

const bodies = Object.values(openapi.components.responses).flatMap(bodiesOf);

const documented = Object.values<Json>(openapi.paths)
  .flatMap((path) => Object.values<Json>(path))
  .flatMap(({ responses }) => Object.entries<Json>(responses))
  .filter(([, { $ref }]) => $ref !== undefined)
  .flatMap(([status, response]) =>
    bodiesOf(dereference(response)).map(({ error }) => ({ status, code: error })),
  );

const ofOperations: readonly ErrorSpec[] = Object.values(operationErrors);
const specs: readonly ErrorSpec[] = Object.values({ ...operationErrors, ...gatewayErrors });

test('openapi.json has an example of every error with its message, and of no others', () => {
  // The message of 1002 depends on the body, so the example has a message of its own.
  const { code: invalidBody } = operationErrors.invalidBody;
  const texts = specs.map(({ code, message }) => `${code} ${code === invalidBody ? '' : message}`);
  const examples = bodies.map(
    ({ error, message }) => `${error} ${error === invalidBody ? '' : message}`,
  );
  expect(new Set(examples)).toEqual(new Set(texts));
});

test('lib/operations.ts lists every client error of the operations, so that the dashboard shows them', () => {
  const listed = listOperations().flatMap(({ clientErrors }) => clientErrors);
  expect(new Set(listed)).toEqual(new Set(ofOperations.filter((spec) => !isFault(spec))));
});

test('docs/errors.md lists every error with its status, and no others', () => {
  const rows = tableRows('docs/errors.md').filter(({ error }) => error !== undefined);
  const listed = rows.map(({ error, status }) => `${error}: ${parseInt(`${status}`, 10)}`);
  expect(new Set(listed)).toEqual(new Set(specs.map(({ code, status }) => `${code}: ${status}`)));
});

test('the first example of a 400, which mocks return, is 1002', () => {
  expect(bodies[0]).toMatchObject({ error: operationErrors.invalidBody.code });
});

test('all error codes except 2403, which has two reasons, are unique', () => {
  const codes = specs.map(({ code }) => code);
  expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([2403]);
});

test('every operation error has the status that openapi.json documents', () => {
  for (const { code, status } of ofOperations) {
    const statuses = documented
      .filter((example) => example.code === code)
      .map((example) => example.status);
    expect([code, new Set(statuses)]).toEqual([code, new Set([`${status}`])]);
    expect(code).toBeLessThan(2000);
  }
});

test('the code of each gateway error is 2000 plus the status', () => {
  const gateway: readonly ErrorSpec[] = Object.values(gatewayErrors);
  expect(gateway.every(({ code, status }) => code === 2000 + status)).toBe(true);
});

test('all errors with the codes 15xx and 25xx, and no others, are service faults', () => {
  for (const spec of specs)
    expect([spec.code, isFault(spec)]).toEqual([spec.code, spec.code % 1000 >= 500]);
});

test('only the errors 1500 and 2429 have a Retry-After header', () => {
  const retryable = specs.filter(({ retryAfterSeconds }) => retryAfterSeconds !== undefined);
  expect(retryable.map(({ code }) => code)).toEqual([1500, 2429]);
});
