import { beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { casesOr, seed } from '../../support/random-cases.ts';
import type { HttpResponse } from '../../support/service/http.ts';
import { type Service, startTestService } from '../../support/service/service.ts';
import {
  CREATE_PLANT,
  createPlant,
  examplePlant,
  type Plant,
  plantFields,
  plantOf,
  samePlant,
  storedPlant,
  storedPlants,
} from '../plants.ts';
import { anyBody, newPlant, validValues } from './bodies.ts';
import { type Promised, promised } from './oracle.ts';

let service: Service;
beforeAll(async () => {
  service = await startTestService();
});

/** The plants for which the service returned 200. */
const plants = new Map<string, Plant>();

function create(body: Buffer): Promise<HttpResponse> {
  return service.send({ ...CREATE_PLANT, body });
}

async function stored(id: bigint): Promise<Plant | undefined> {
  const item = await storedPlant(service, id);
  return item && plantOf(item);
}

/** Sends a body, and compares the response and the table with what oracle.ts expects. */
async function keepsThePromise(body: Buffer): Promise<void> {
  const promise = promised(body, plants);
  check(promise, await create(body));
  if (promise.status !== 200) return;
  plants.set(String(promise.id), promise.plant);
  equal('the item', await stored(promise.id), promise.plant);
}

/** Tries random cases. If one fails, the error has the seed and the smallest case. @param share the percentage of all cases */
async function holdsFor<Case>(
  share: number,
  cases: fc.Arbitrary<Case>,
  property: (each: Case) => Promise<void>,
): Promise<void> {
  const numRuns = Math.ceil((casesOr(200) * share) / 100);
  await fc.assert(fc.asyncProperty(cases, property), { numRuns, seed });
}

test('createPlant stores a valid NewPlant exactly, or reports that another plant has the same id', () =>
  holdsFor(35, newPlant, (text) => keepsThePromise(Buffer.from(text))));

test('createPlant responds to any body as the API promises', () =>
  holdsFor(65, anyBody, keepsThePromise));

test('createPlant stores only the plants for which it returned 200', async () => {
  // The tests above created them.
  expect(plants.size).toBeGreaterThan(0);
  const items = await storedPlants(service);
  const differing = [...new Set([...items.keys(), ...plants.keys()])].filter((id) => {
    const [item, plant] = [items.get(id), plants.get(id)];
    return item === undefined || plant === undefined || !samePlant(item, plant);
  });
  expect(differing.slice(0, 10)).toEqual([]);
});

// Runs after the test above, which does not know these plants.
test.each(plantFields)(
  'createPlant returns a conflict if only the $name differs',
  async ({ name, required }) => {
    const values = fc.uniqueArray(validValues(name), { minLength: 1, maxLength: 2 });
    const [[value, another] = []] = fc.sample(values, { numRuns: 1, seed: 1 });
    const id = 1_234_500 + plantFields.findIndex((field) => field.name === name);
    const plant = { ...examplePlant, id, [name]: value };
    await expect(createPlant(service, plant)).resolves.toMatchObject({ status: 200 });
    const { [name]: _left, ...without } = plant;
    const others = [
      ...(another === undefined ? [] : [{ ...plant, [name]: another }]),
      ...(required ? [] : [without]),
    ];
    for (const other of others)
      await expect(createPlant(service, other)).resolves.toMatchObject({
        status: 400,
        body: { error: 1004 },
      });
  },
);

function check(promise: Promised, { status, body }: HttpResponse): void {
  if (promise.status === 200) {
    holds(status === 200, `the service returned ${status} ${body.error}, not 200`);
    equal('the response', body, promise.plant);
  } else {
    holds(
      status === 400 && body.error === promise.error,
      `the service returned ${status} ${body.error}, not ${promise.error}`,
    );
  }
}

function equal(what: string, actual: object | undefined, plant: Plant): void {
  holds(
    actual !== undefined && samePlant(plantOf({ ...actual }), plant),
    `${what} differs from the sent plant`,
  );
}

/** @throws Error if the condition is false; the message contains no plants, because they can be long */
function holds(condition: boolean, otherwise: string): void {
  if (!condition) throw new Error(otherwise);
}
