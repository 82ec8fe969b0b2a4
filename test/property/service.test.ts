import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Service, startService } from '../support/service.ts';
import { type Plant, plantOf, type Target } from '../support/target.ts';
import { assertFor, nothingElseIsStored, properties } from './properties.ts';

// test/in-process/create-plant/properties.test.ts tries 13 times as many cases.
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
  test('still accepts a valid request after all these tests', async () => {
    await expect(service.create({ id: 1_234_567, name: 'Ficus' })).resolves.toMatchObject({ status: 200 });
  });
});

/** Tests the whole service, from HTTP to the item in DynamoDB. */
function serviceTarget(service: () => Service): Target {
  return {
    create: (body, headers) => {
      const { token, send } = service();
      const named = Object.keys(headers ?? {}).map((name) => name.toLowerCase());
      const authorization = named.includes('authorization') ? {} : { Authorization: `Bearer ${token}` };
      return send(headers === undefined ? { body } : { body, headers: { ...authorization, ...headers } });
    },
    items: () => service().plants(),
    stored: async (id) => {
      const item = await service().stored(id);
      return item && plantOf(item);
    },
  };
}
