import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { operations } from '../../lib/operations.ts';
import { validValues } from '../property/bodies.ts';
import { examplePlant, plantFields } from '../support/new-plant.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

test('createPlant is allowed only to put plants', () => {
  expect(operations[0].tables).toEqual([{ table: 'plants', actions: ['dynamodb:PutItem'] }]);
});

describe.each(plantFields)('the field $name in openapi.json', ({ name, required }) => {
  const values = fc.uniqueArray(validValues(name), { minLength: 1, maxLength: 2 });
  const [[value, another] = []] = fc.sample(values, { numRuns: 1, seed: 1 });
  const id = 700 + plantFields.findIndex((field) => field.name === name);
  const plant = { ...examplePlant, id, [name]: value };

  test('is stored, and returned again for a retry', async () => {
    const { id: _id, ...shown } = plant;
    await expect(service.create(plant)).resolves.toMatchObject({ status: 200, body: shown });
    await expect(service.create(plant)).resolves.toMatchObject({ status: 200, body: shown });
    await expect(service.stored(BigInt(id))).resolves.toEqual(plant);
  });

  test('causes a conflict if a second plant has the same id but a different value', async () => {
    await service.create(plant);
    const { [name]: _left, ...without } = plant;
    const others = [
      ...(another === undefined ? [] : [{ ...plant, [name]: another }]),
      ...(required ? [] : [without]),
    ];
    for (const other of others) {
      await expect(service.create(other)).resolves.toMatchObject({ status: 400, body: { error: 1004 } });
    }
  });
});
