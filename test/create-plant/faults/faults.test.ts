import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { weightedFaults } from '../../support/fault-proxy.ts';
import { type FaultyService, startFaultyService } from '../../support/faulty-service.ts';
import { casesOr, seed } from '../../support/random-cases.ts';
import type { Service } from '../../support/service.ts';
import { createPlant, storedPlants } from '../plants.ts';
import { type Creation, contradictions, type Outcome } from './history.ts';

// This test can take more than 10 s, because some requests to DynamoDB stall until the SDK's timeout.
const CONCURRENCY = 4;

/** The maximum number of attempts. It is so high that random faults alone never cause that many failures. */
const MAX_ATTEMPTS = 60;
const PAUSE_MS = 20;

const plant = fc.record(
  { name: fc.constantFrom('Ficus', 'Oak', 'Fern'), tag: fc.constantFrom('indoor', 'outdoor') },
  { requiredKeys: ['name'] },
);

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

    const found = contradictions(outcomes, await storedPlants(faulty));
    expect(found.slice(0, 5)).toEqual([]);
    // Checks that many kinds of faults really occurred.
    expect(new Set(faulty.proxy.faults).size).toBeGreaterThan(5);
  });

  test('creates every plant after the faults have ended', async () => {
    const ids = Array.from({ length: CONCURRENCY }, (_, at) => 1_000_000_000 + at);
    const responses = await Promise.all(ids.map((id) => createPlant(faulty, { id, name: 'after' })));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  });
});

/** Generates creations. In about half of them, another client also wants the id. */
function randomCreations(count: number, seed: number): Creation[] {
  const contended = fc.option(fc.integer({ min: 1, max: Math.ceil(count / 6) }), { freq: 1 });
  const creations = fc.record({ contended, plant, retries: fc.boolean() });
  return fc
    .sample(creations, { numRuns: count, seed })
    .map(({ contended, ...creation }, at) => ({ ...creation, id: contended ?? count + at }));
}

/** Runs all creations, `concurrency` at a time. Each response is checked against the contract. */
async function createAll(
  service: Service,
  creations: readonly Creation[],
  concurrency: number,
): Promise<Outcome[]> {
  const left = [...creations];
  const outcomes: Outcome[] = [];
  const client = async () => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      outcomes.push(await create(service, next));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, client));
  return outcomes;
}

async function create(service: Service, creation: Creation): Promise<Outcome> {
  for (let attempt = 1; ; attempt += 1) {
    const { status, body } = await createPlant(service, { id: creation.id, ...creation.plant });
    const outcome = { ...creation, status, error: body.error };
    const retryable = body.error === 1500 || body.error === 2500;
    if (!retryable || !creation.retries || attempt === MAX_ATTEMPTS) return outcome;
    await sleep(PAUSE_MS);
  }
}
