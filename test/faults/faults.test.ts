import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { weightedFaults } from '../support/fault-proxy.ts';
import { type FaultyService, startFaultyService } from '../support/faulty-service.ts';
import { casesOr, seed } from '../support/random-cases.ts';
import { createAll, randomCreations } from './creations.ts';
import { contradictions } from './history.ts';

// This test can take more than 10 s, because some requests to DynamoDB stall until the SDK's timeout.
const CONCURRENCY = 8;

const fault = fc.oneof(...weightedFaults.map(([name, weight]) => ({ weight, arbitrary: fc.constant(name) })));

describe('createPlant, with random faults in DynamoDB,', () => {
  let faulty: FaultyService;
  beforeAll(async () => {
    faulty = await startFaultyService();
  });
  afterAll(() => faulty.stop());

  test(`never returns a response to a concurrent request that contradicts the table (SEED=${seed})`, async () => {
    const [faults] = fc.sample(fc.infiniteStream(fault), { numRuns: 1, seed });
    faulty.proxy.decide = () => faults?.next().value ?? 'none';
    const outcomes = await createAll(faulty, randomCreations(casesOr(80), seed), CONCURRENCY);
    faulty.proxy.decide = () => 'none';
    await faulty.proxy.settled();

    const found = contradictions(outcomes, await faulty.upstream.plants());
    expect(found.slice(0, 5)).toEqual([]);
    // Checks that many kinds of faults really occurred.
    expect(new Set(faulty.proxy.faults).size).toBeGreaterThan(5);
  });

  test('creates every plant after the faults have ended', async () => {
    const ids = Array.from({ length: CONCURRENCY }, (_, at) => 1_000_000_000 + at);
    const responses = await Promise.all(ids.map((id) => faulty.create({ id, name: 'after' })));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  });
});
