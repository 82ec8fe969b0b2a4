import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { seededRandom } from '../../scripts/seeded-random.ts';
import { type FaultyService, startFaultyService } from '../support/faulty-service.ts';
import { createUnderFaults } from './create-under-faults.ts';

describe('createPlant under random faults of DynamoDB', () => {
  const seed = Number(process.env.FAULT_SEED ?? Date.now());
  let faulty: FaultyService;
  beforeAll(async () => {
    faulty = await startFaultyService();
  });
  afterAll(() => faulty.stop());

  test(`stores what its concurrent responses report (FAULT_SEED=${seed})`, async () => {
    const random = seededRandom(seed);
    const found = await createUnderFaults(faulty, { creations: 400, concurrency: 24, random });
    expect(found.slice(0, 5)).toEqual([]);
    // Enough kinds of fault occurred.
    expect(new Set(faulty.proxy.faults).size).toBeGreaterThan(5);
  });

  test('creates every plant once the faults end', async () => {
    const ids = Array.from({ length: 30 }, (_, at) => 1_000_000 + at);
    const responses = await Promise.all(ids.map((id) => faulty.create({ id, name: 'after' })));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  });
});
