import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Service, startService } from '../../support/service.ts';
import { examplePlant, plantFields } from '../new-plant.ts';
import { CREATE_PLANT, createPlant, storedPlant, storedPlants } from '../plants.ts';
import { type Plant, plantOf, type Target } from '../target.ts';
import { validValues } from './bodies.ts';
import { assertFor, nothingElseIsStored, properties } from './properties.ts';

// test/create-plant/in-process/properties.test.ts tries 13 times as many cases.
describe('the service over HTTP', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());
  const plants = new Map<string, Plant>();
  const target = serviceTarget(() => service);

  test.each(properties(target, plants))('$name', assertFor(30));
  test('stores only the plants for which it returned 200', () => nothingElseIsStored(target, plants));

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
});

/** Tests the whole service, from HTTP to the item in DynamoDB. */
function serviceTarget(service: () => Service): Target {
  return {
    create: (body, headers) => {
      const { token, send } = service();
      const named = Object.keys(headers ?? {}).map((name) => name.toLowerCase());
      const authorization = named.includes('authorization') ? {} : { Authorization: `Bearer ${token}` };
      const request = headers === undefined ? { body } : { body, headers: { ...authorization, ...headers } };
      return send({ ...CREATE_PLANT, ...request });
    },
    items: () => storedPlants(service()),
    stored: async (id) => {
      const item = await storedPlant(service(), id);
      return item && plantOf(item);
    },
  };
}
