import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openapi } from '../support/contract.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

describe('POST /plants, given a valid NewPlant,', () => {
  test('stores it, and returns it without its id', async () => {
    const { status, text } = await service.create('{"id":9223372036854775807,"name":"Ficus"}');

    expect({ status, text }).toEqual({ status: 200, text: '{"name":"Ficus"}' });
    await expect(service.stored(9_223_372_036_854_775_807n)).resolves.toEqual({
      id: 9_223_372_036_854_775_807n,
      name: 'Ficus',
    });
  });
});

const { NewPlant } = openapi.components.schemas;
const fields = Object.keys(NewPlant.properties).filter((field) => field !== 'id');

describe.each(fields)('the field %s of openapi.json', (field) => {
  const plant = { id: 700 + fields.indexOf(field), name: 'Ficus', [field]: 'this' };

  test('is stored and returned', async () => {
    const { id, ...shown } = plant;
    await expect(service.create(plant)).resolves.toMatchObject({ status: 200, body: shown });
    await expect(service.stored(BigInt(id))).resolves.toEqual(plant);
  });

  test('distinguishes a plant from another with its id', async () => {
    await service.create(plant);
    const { [field]: _left, ...without } = plant;
    const others = [{ ...plant, [field]: 'that' }, ...(NewPlant.required.includes(field) ? [] : [without])];
    for (const other of others) {
      await expect(service.create(other)).resolves.toMatchObject({ status: 400, body: { error: 1004 } });
    }
  });
});
