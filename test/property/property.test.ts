import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Service, startService } from '../end-to-end/service.ts';
import { handlerTarget } from './handler-target.ts';
import { nothingElseIsStored, type Property, properties } from './properties.ts';
import { rawRequests } from './raw-requests.ts';
import { serviceTarget } from './service-target.ts';
import type { Plant } from './target.ts';

/** A failure names its seed and path: `npm run test:fuzz -- --seed …` goes the same way with more cases. */
const assertFor =
  (cases: number) =>
  async ({ property, share }: Property) =>
    fc.assert(property, { numRuns: Math.max(5, Math.ceil((cases * share) / 100)) });

describe('the handler', () => {
  const plants = new Map<string, Plant>();
  const target = handlerTarget();
  test.each(properties(target, plants))('$name', assertFor(1_500), 60_000);
  test('nothing else is stored', () => nothingElseIsStored(target, plants));
});

describe('the service over HTTP', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());
  const plants = new Map<string, Plant>();
  const target = serviceTarget(() => service);

  test.each([...properties(target, plants), rawRequests(() => service, plants)])(
    '$name',
    assertFor(400),
    60_000,
  );
  test('nothing else is stored', () => nothingElseIsStored(target, plants));
  test('and a good request still succeeds', async () => {
    await expect(service.create({ id: 1_234_567, name: 'Ficus' })).resolves.toMatchObject({ status: 200 });
  });
});
