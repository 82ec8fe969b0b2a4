import { beforeAll, expect, test } from '@jest/globals';
import { MAX_INT64, MIN_INT64 } from '../../lambda/shared/http/int64.ts';
import { FIRST_ID } from '../../tools/conformance/row.ts';
import { createPlant, LARGEST_ID } from '../../tools/conformance/rows/create-plant.ts';
import { runRows } from '../../tools/conformance/run-rows.ts';
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
