import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { seededRandom } from '../support/seeded-random.ts';
import { type FaultyService, startFaultyService, weather } from './faulty-service.ts';

describe('a store that fails at random under concurrent creations', () => {
  const seed = Number(process.env.FAULT_SEED ?? Date.now());
  let faulty: FaultyService;
  beforeAll(async () => {
    faulty = await startFaultyService();
  });
  afterAll(() => faulty.stop());

  test(`contradicts nothing that clients were told (FAULT_SEED=${seed})`, async () => {
    const random = seededRandom(seed);
    const found = await weather(faulty, { creations: 400, concurrency: 24, random });
    expect(found.slice(0, 5)).toEqual([]);
    // Each kind that is worth its name occurred.
    expect(new Set(faulty.proxy.faults).size).toBeGreaterThan(5);
  }, 60_000);

  test('and when it no longer fails, every creation succeeds at once', async () => {
    const ids = Array.from({ length: 30 }, (_, at) => 1_000_000 + at);
    const answers = await Promise.all(ids.map((id) => faulty.service.create({ id, name: 'after' })));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });
});
