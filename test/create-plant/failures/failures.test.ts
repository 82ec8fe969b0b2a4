import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { casesOr, seed } from '../../support/random-cases.ts';
import type { Failure } from '../../support/servers/failing-proxy.ts';
import type { Service } from '../../support/service/service.ts';
import { type ProxiedService, startProxiedService } from '../../support/service/service.ts';
import { createPlant, type Plant, samePlant, storedPlants } from '../plants.ts';

// This test can take more than 10 s, because some requests to DynamoDB stall until the SDK's timeout.
const CONCURRENCY = 4;

/** The maximum number of attempts. It is so high that random failures alone never use it up. */
const MAX_ATTEMPTS = 60;
const PAUSE_MS = 20;

interface Creation {
  readonly id: number;
  readonly plant: Plant;
  readonly retries: boolean;
}

interface Outcome extends Creation {
  readonly status: number;
  readonly error: number | undefined;
}

const plant = fc.record(
  { name: fc.constantFrom('Ficus', 'Oak', 'Fern'), tag: fc.constantFrom('indoor', 'outdoor') },
  { requiredKeys: ['name'] },
);

/** What happens to how many of 100 requests to DynamoDB. */
const weights: readonly [Failure, number][] = [
  ['none', 62],
  ['throttled', 14],
  ['failed with 500', 7],
  ['reset before it was applied', 5],
  ['applied, but the response is lost', 5],
  ['applied, but the response is cut in half', 4],
  ['stalled, then applied', 3],
];
const failure = fc.oneof(
  ...weights.map(([name, weight]) => ({ weight, arbitrary: fc.constant(name) })),
);

let service: ProxiedService;
beforeAll(async () => {
  service = await startProxiedService();
});

test(`createPlant never contradicts the table while DynamoDB fails at random (SEED=${seed})`, async () => {
  const [failures] = fc.sample(fc.infiniteStream(failure), { numRuns: 1, seed });
  service.proxy.decide = () => failures?.next().value ?? 'none';
  const outcomes = await createAll(service, randomCreations(casesOr(80), seed));
  service.proxy.decide = () => 'none';
  await service.proxy.settled();

  const found = contradictions(outcomes, await storedPlants(service));
  expect(found.slice(0, 5)).toEqual([]);
  // Checks that many kinds of failures really occurred.
  expect(new Set(service.proxy.failures).size).toBeGreaterThan(4);
});

/** Generates creations. In about half of them, another client also wants the id. */
function randomCreations(count: number, seed: number): Creation[] {
  const contended = fc.option(fc.integer({ min: 1, max: Math.ceil(count / 6) }), { freq: 2 });
  const creations = fc.record({ contended, plant, retries: fc.boolean() });
  return fc
    .sample(creations, { numRuns: count, seed })
    .map(({ contended, ...creation }, at) => ({ ...creation, id: contended ?? count + at }));
}

/** Runs all creations, `CONCURRENCY` at a time. Each response is checked against the contract. */
async function createAll(service: Service, creations: readonly Creation[]): Promise<Outcome[]> {
  const left = [...creations];
  const outcomes: Outcome[] = [];
  const client = async () => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      outcomes.push(await create(service, next));
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, client));
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

/**
 * Finds contradictions between the responses to clients and the table, after all requests have ended.
 *
 * @param plants all plants in the table, keyed by the decimal id
 * @returns one line for each contradiction
 */
function contradictions(
  outcomes: readonly Outcome[],
  plants: ReadonlyMap<string, Plant>,
): string[] {
  const requested = Map.groupBy(outcomes, ({ id }) => String(id));
  const ofClients = outcomes.flatMap((outcome) => {
    const stored = plants.get(String(outcome.id));
    const found = contradiction(outcome, stored);
    return found === undefined ? [] : [`${outcome.id}: ${found}`];
  });
  const ofTable = [...plants].flatMap(([id, stored]) =>
    requested.get(id)?.some(({ plant }) => samePlant(plant, stored))
      ? []
      : [`${id}: no client sent the stored plant`],
  );
  return [...ofClients, ...ofTable];
}

function contradiction({ status, error, plant, retries }: Outcome, stored: Plant | undefined) {
  const isStored = stored !== undefined && samePlant(stored, plant);
  if (status === 200)
    return isStored ? undefined : 'returned 200, but the plant is not in the table';
  if (error === 1004) {
    if (stored === undefined)
      return 'reported that another plant has the id, but the table has no plant with the id';
    return isStored
      ? 'reported that another plant has the id, but the table has the same plant'
      : undefined;
  }
  // DynamoDB or the token check failed, so the outcome is unknown until a retry succeeds.
  if ((status === 400 && error === 1500) || (status === 500 && error === 2500)) {
    return retries ? 'did not return 200 to any retry' : undefined;
  }
  return `returned ${status} ${error}`;
}
