import { beforeAll, expect, test } from '@jest/globals';
import { gatewayErrors, operationErrors } from '../../lambda/shared/errors.ts';
import { MAX_INT64, MIN_INT64 } from '../../lambda/shared/http/int64.ts';
import { operationSpecs } from '../../lib/operations.ts';
import { FIRST_ID } from '../../tools/conformance/row.ts';
import { createPlant, LARGEST_ID } from '../../tools/conformance/rows/create-plant.ts';
import { rows } from '../../tools/conformance/rows/index.ts';
import { runRows } from '../../tools/conformance/run-rows.ts';
import { read } from '../support/pages/code-blocks.ts';
import { type Service, startTestService } from '../support/service/service.ts';
import { storedPlants } from './plants.ts';

let service: Service;
beforeAll(async () => {
  service = await startTestService();
});

test('the rows of createPlant leave behind only plants with the ids that npm run conformance prints', async () => {
  const { signal } = new AbortController();
  const options = { baseUrl: new URL(service.emulator.url), token: service.token, signal };
  for await (const _ of runRows(createPlant, options));
  const ids = [...(await storedPlants(service)).keys()].map(BigInt);
  expect(ids).toContain(MAX_INT64);
  expect(ids.filter((id) => id !== MIN_INT64 && (id < FIRST_ID || id > MAX_INT64))).toEqual([]);
});

test('only the largest id is also sent to prod, where a conflict is accepted', () => {
  expect(createPlant.filter(({ inProd }) => inProd)).toEqual([LARGEST_ID]);
  expect(LARGEST_ID.item).toBe('id 9223372036854775807');
  expect(LARGEST_ID.expected).toMatchObject([{ status: 200 }, { status: 400, error: 1004 }]);
});

test('docs/verified.md lists exactly the error codes that npm run conformance never expects', () => {
  const expected = rows.flatMap((row) => row.expected ?? []);
  const { clientErrors } = operationSpecs.createPlant;
  const { dynamodbFailed, unexpected } = operationErrors;
  const specs = [...clientErrors, dynamodbFailed, unexpected, ...Object.values(gatewayErrors)];
  const codes = [...new Set(specs.map(({ code }) => code))];
  const page = read('docs/verified.md');
  const [listed = ''] = /(?:\d{4}, )+\d{4}/.exec(page) ?? [];
  expect(listed.split(', ').map(Number).sort()).toEqual(
    codes.filter((code) => !expected.some(({ error }) => error === code)).sort(),
  );
});
