import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import type { Service } from '../support/service.ts';
import type { Plant } from '../support/target.ts';

/** One plant that one client wants to create. */
export interface Creation {
  readonly id: number;
  readonly plant: Plant;
  /** Whether the client retries retryable errors. */
  readonly retries: boolean;
}

/** A creation and its last response. */
export interface Outcome extends Creation {
  readonly status: number;
  readonly error: number | undefined;
}

/** The maximum number of attempts. It is so high that random faults alone never cause that many failures. */
const MAX_ATTEMPTS = 60;
const PAUSE_MS = 20;

const plant = fc.record(
  { name: fc.constantFrom('Ficus', 'Oak', 'Fern'), tag: fc.constantFrom('indoor', 'outdoor') },
  { requiredKeys: ['name'] },
);

/** Generates creations. In about half of them, another client also wants the id. */
export function randomCreations(count: number, seed: number): Creation[] {
  const contended = fc.option(fc.integer({ min: 1, max: Math.ceil(count / 6) }), { freq: 1 });
  const creations = fc.record({ contended, plant, retries: fc.boolean() });
  return fc
    .sample(creations, { numRuns: count, seed })
    .map(({ contended, ...creation }, at) => ({ ...creation, id: contended ?? count + at }));
}

/** Runs all creations, `concurrency` at a time. Each response is checked against the contract. */
export async function createAll(
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
    const { status, body } = await service.create({ id: creation.id, ...creation.plant });
    const outcome = { ...creation, status, error: body.error };
    const retryable = body.error === 1500 || body.error === 2500;
    if (!retryable || !creation.retries || attempt === MAX_ATTEMPTS) return outcome;
    await sleep(PAUSE_MS);
  }
}
