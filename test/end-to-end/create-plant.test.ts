import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { largestField, openapi } from '../support/contract.ts';
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

describe('POST /plants, given a large plant,', () => {
  test.each([
    ['more than 400 KB', 'x'.repeat(409_593)],
    ['a body above 2.5 MB', 'x'.repeat(3_000_000)],
  ])('rejects %s with 1003', async (_what, text) => {
    const { status, body } = await service.create({ id: 400, name: 'Ficus', [largestField]: text });

    expect([status, body.error]).toEqual([400, 1003]);
    expect((await service.stored(400n)) === undefined).toBe(true);
  });

  test('stores a plant of exactly 400 KB', async () => {
    const others = largestField === 'name' ? ['id'] : ['id', 'name', 'Ficus'];
    // The id has two bytes.
    const bytes = 409_600 - 2 - [...others, largestField].join('').length;
    const plant = { id: 600, name: 'Ficus', [largestField]: 'x'.repeat(bytes) };
    const { status } = await service.create(plant);
    expect(status).toBe(200);
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

describe('POST /plants, given an id that is taken,', () => {
  test('returns the same 200 for the same plant', async () => {
    const newPlant = { id: 500, name: 'Ficus', tag: 'indoor' };
    const first = await service.create(newPlant);
    const second = await service.create({ tag: 'indoor', name: 'Ficus', id: 500, unknown: 1 });

    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.text).toBe(first.text);
  });

  test('rejects another plant with 1004, and keeps the first', async () => {
    await service.create({ id: 501, name: 'Ficus' });

    const other = await service.create({ id: 501, name: 'Ficus', tag: '' });
    expect([other.status, other.body.error]).toEqual([400, 1004]);
    await expect(service.stored(501n)).resolves.toEqual({ id: 501, name: 'Ficus' });
  });

  test('creates exactly one of 40 plants that are sent at once', async () => {
    const names = Array.from({ length: 40 }, (_, index) => `plant ${index}`);
    const responses = await Promise.all(names.map((name) => service.create({ id: 503, name })));

    const winners = responses.filter(({ status }) => status === 200);
    const losers = responses.filter(({ body }) => body.error === 1004);
    expect([winners.length, losers.length]).toEqual([1, 39]);
    await expect(service.stored(503n)).resolves.toEqual({ id: 503, name: winners[0]?.body.name });
  });
});
