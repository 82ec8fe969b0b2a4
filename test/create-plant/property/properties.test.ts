import type { OutgoingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { writeExactly } from '../../support/exact-json.ts';
import type { HttpResponse } from '../../support/http.ts';
import { casesOr, seed } from '../../support/random-cases.ts';
import { type Service, startService } from '../../support/service.ts';
import {
  CREATE_PLANT,
  createPlant,
  examplePlant,
  largeFields,
  type Plant,
  plantFields,
  plantOf,
  samePlant,
  storedPlant,
  storedPlants,
} from '../plants.ts';
import { anyBody, ids, newPlant, validValues } from './bodies.ts';
import { anyHeaders, contentTypes, isJson } from './headers.ts';
import { type Promised, promised } from './oracle.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

/** The plants for which the service returned 200. */
const plants = new Map<string, Plant>();

/** Sends a body, with a valid token unless `headers` has an Authorization. */
function create(body: Buffer, headers?: OutgoingHttpHeaders): Promise<HttpResponse> {
  const named = Object.keys(headers ?? {}).map((name) => name.toLowerCase());
  const authorization = named.includes('authorization') ? {} : { Authorization: `Bearer ${service.token}` };
  const request = headers === undefined ? { body } : { body, headers: { ...authorization, ...headers } };
  return service.send({ ...CREATE_PLANT, ...request });
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

interface Property {
  readonly name: string;
  /** The percentage of the test cases. */
  readonly share: number;
  // biome-ignore lint/suspicious/noExplicitAny: each property has its own type of cases, which no caller uses
  readonly property: fc.IAsyncPropertyWithHooks<[any]>;
}

const JSON_TYPE = { 'Content-Type': 'application/json' };

const properties: readonly Property[] = [
  {
    name: 'stores a valid NewPlant exactly, or reports that another plant has the same id',
    share: 30,
    property: fc.asyncProperty(newPlant, (text) => keepsThePromise(Buffer.from(text))),
  },
  {
    name: 'responds to any body as the API promises',
    share: 50,
    property: fc.asyncProperty(anyBody, keepsThePromise),
  },
  {
    name: 'rejects any media type except application/json, whatever the body is',
    share: 10,
    property: fc.asyncProperty(fc.tuple(contentTypes, anyBody), async ([contentType, body]) => {
      const promise = isJson(contentType) ? promised(body, plants) : { status: 400 as const, error: 1000 };
      check(promise, await create(body, { ...JSON_TYPE, 'Content-Type': contentType }));
      if (promise.status === 200) plants.set(String(promise.id), promise.plant);
    }),
  },
  {
    name: 'does not fail or store a different plant, whatever the headers are',
    share: 8,
    property: fc.asyncProperty(fc.tuple(anyHeaders, newPlant), async ([headers, text]) => {
      const body = Buffer.from(text);
      const promise = promised(body, plants);
      const { status } = await create(body, headers);
      holds(status === 200 || (status >= 400 && status < 500), `the service returned ${status}`);
      if (status !== 200) return;
      holds(promise.status === 200, 'the service accepted an invalid NewPlant');
      if (promise.status === 200) plants.set(String(promise.id), promise.plant);
    }),
  },
  {
    name: 'creates only one of several plants that are sent concurrently with the same id, and rejects the others',
    share: 1,
    property: fc.asyncProperty(
      fc.tuple(ids, fc.array(fc.nat(4), { minLength: 2, maxLength: 4 })),
      async ([id, names]) => {
        const before = plants.get(String(id));
        const responses = await Promise.all(
          names.map((name) => create(Buffer.from(`{"id":${id},"name":"racer ${name}"}`))),
        );
        const item = await stored(id);
        holds(
          item !== undefined && (before === undefined || samePlant(item, before)),
          'the stored item changed',
        );
        if (item !== undefined) plants.set(String(id), item);
        for (const [at, response] of responses.entries()) {
          const own = { name: `racer ${names[at]}` };
          const won = item !== undefined && samePlant(item, own);
          check(won ? { status: 200, id, plant: own } : { status: 400, error: 1004 }, response);
        }
      },
    ),
  },
  {
    name: 'rejects a deeply nested body, or creates the plant in it',
    share: 0.5,
    property: fc.asyncProperty(
      fc.tuple(fc.integer({ min: 1, max: 200_000 }), fc.boolean(), fc.boolean()),
      async ([depth, closed, inPlant]) => {
        const nested = '['.repeat(depth) + (closed ? ']'.repeat(depth) : '');
        const id = `${depth}${closed}`.length;
        const body = inPlant ? `{"id":${id},"name":"deep","deep":${nested}}` : nested;
        const present = plants.get(String(id));
        const response = await create(Buffer.from(body));
        if (response.status === 200) {
          holds(closed && inPlant, 'the service accepted an invalid NewPlant');
          plants.set(String(id), { name: 'deep' });
          return;
        }
        const taken = present !== undefined && !samePlant(present, { name: 'deep' });
        const allowed = taken ? [1001, 1002, 1004] : [1001, 1002];
        holds(
          response.status === 400 && allowed.some((code) => code === response.body.error),
          `the service returned ${response.status}`,
        );
      },
    ),
  },
  ...largeFields.map((field) => ({
    name: 'stores a plant up to the size limit of a DynamoDB item, and rejects a larger plant',
    share: 0.5,
    property: fc.asyncProperty(
      fc.tuple(fc.integer({ min: -40, max: 40 }), fc.constantFrom('x', 'é', '⚘', '🌱'), ids),
      async ([beyond, character, id]) => {
        const others = field === 'name' ? {} : { name: 'Ficus' };
        const names = Buffer.byteLength(['id', field, ...Object.entries(others).flat()].join(''));
        const width = Buffer.byteLength(character);
        const count = Math.floor((400 * 1024 - names + beyond) / width);
        const size = names + count * width;
        const plant = { name: 'Ficus', ...others, [field]: character.repeat(count) };
        const present = plants.get(String(id));
        const { status, body } = await create(Buffer.from(writeExactly({ id, ...plant })));
        if (status === 200) {
          holds(size <= 400 * 1024, `the service accepted ${size} bytes`);
          plants.set(String(id), plant);
          return;
        }
        // DynamoDB stores the id in at most 21 bytes.
        const expected = present === undefined ? [1003] : [1003, 1004];
        holds(size + 21 > 400 * 1024 || present !== undefined, `the service rejected ${size} bytes`);
        holds(
          status === 400 && expected.some((code) => code === body.error),
          `the service returned ${status} ${body.error}`,
        );
      },
    ),
  })),
];

// The cases are few, so that the suite takes seconds; if a property fails, the error has the seed and the smallest case.
test.each(properties)('createPlant $name', async ({ property, share }) => {
  await fc.assert(property, { numRuns: Math.max(5, Math.ceil((casesOr(200) * share) / 100)), seed });
});

test('createPlant stores only the plants for which it returned 200', async () => {
  const items = await storedPlants(service);
  const differing = [...new Set([...items.keys(), ...plants.keys()])].filter((id) => {
    const [item, plant] = [items.get(id), plants.get(id)];
    return item === undefined || plant === undefined || !samePlant(item, plant);
  });
  expect(differing.slice(0, 10)).toEqual([]);
});

// Runs after the test above, which does not know these plants.
describe.each(plantFields)('the field $name in openapi.json', ({ name, required }) => {
  const values = fc.uniqueArray(validValues(name), { minLength: 1, maxLength: 2 });
  const [[value, another] = []] = fc.sample(values, { numRuns: 1, seed: 1 });
  const id = 1_234_500 + plantFields.findIndex((field) => field.name === name);
  const plant = { ...examplePlant, id, [name]: value };

  test('is stored, and returned again for a retry', async () => {
    const { id: _id, ...shown } = plant;
    await expect(createPlant(service, plant)).resolves.toMatchObject({ status: 200, body: shown });
    await expect(createPlant(service, plant)).resolves.toMatchObject({ status: 200, body: shown });
    await expect(storedPlant(service, BigInt(id))).resolves.toEqual(plant);
  });

  test('causes a conflict if a second plant has the same id but a different value', async () => {
    await createPlant(service, plant);
    const { [name]: _left, ...without } = plant;
    const others = [
      ...(another === undefined ? [] : [{ ...plant, [name]: another }]),
      ...(required ? [] : [without]),
    ];
    for (const other of others) {
      await expect(createPlant(service, other)).resolves.toMatchObject({
        status: 400,
        body: { error: 1004 },
      });
    }
  });
});
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
