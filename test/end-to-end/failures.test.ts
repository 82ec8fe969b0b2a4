import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type Change,
  type ChangedAssembly,
  changedAssembly,
  type FindResources,
} from '../support/changed-assembly.ts';
import { type Service, startService } from '../support/service.ts';

// 1500, 1599 and 2500 are in observability.test.ts, 2403 in test/oidc/.
describe('API Gateway', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop());

  test('returns 2413 for a body whose event is above 6 MB', async () => {
    const response = await service.send({ body: Buffer.alloc(5_000_000, 'x') });
    expect([response.status, response.body.error]).toEqual([413, 2413]);
  });

  test('returns 2429 with Retry-After if there are too many requests', async () => {
    await inService(
      (find) => setThrottle(find, { ThrottlingRateLimit: 1, ThrottlingBurstLimit: 1 }),
      async (throttled) => {
        const plants = Array.from({ length: 5 }, (_, id) => ({ id, name: 'Ficus' }));
        const responses = await Promise.all(plants.map((plant) => throttled.create(plant)));

        const throttledResponses = responses.filter(({ status }) => status === 429);
        expect(throttledResponses.length).toBeGreaterThan(0);
        for (const { body, headers } of throttledResponses) {
          expect([body.error, headers['retry-after']]).toEqual([2429, '1']);
        }
      },
    );
  });

  test('returns 2502 if the function cannot run', async () => {
    await inService(
      (find) => setHandler(find, 'CreatePlant', 'index.nothing'),
      async (gone) => {
        await expect(gone.create({ id: 1, name: 'Ficus' })).resolves.toMatchObject({
          status: 502,
          body: { error: 2502 },
        });
      },
    );
  });

  test('returns 2504 if the function times out', async () => {
    await inService(
      (find, assembly) => {
        replaceCode(find, 'CreatePlant', assembly, 'sleeping-function');
        for (const { Properties } of find('AWS::ApiGateway::Method'))
          Properties.Integration.TimeoutInMillis = 50;
      },
      async (slow) => {
        await expect(slow.create({ id: 1, name: 'Ficus' })).resolves.toMatchObject({
          status: 504,
          body: { error: 2504 },
        });
      },
    );
  });
});

/** Runs the service from a template that a test has changed. */
async function inService(change: Change, use: (service: Service) => Promise<void>) {
  const assembly: ChangedAssembly = await changedAssembly(change);
  const service = await startService({ assembly: assembly.folder });
  try {
    await use(service);
  } finally {
    await service.stop();
    await assembly.remove();
  }
}

function setHandler(find: FindResources, functionId: string, handler: string): void {
  for (const { Properties } of find('AWS::Lambda::Function', functionId)) Properties.Handler = handler;
}

function replaceCode(find: FindResources, functionId: string, assembly: string, fixture: string): void {
  for (const { Metadata } of find('AWS::Lambda::Function', functionId)) {
    Metadata['aws:asset:path'] = relative(assembly, join(import.meta.dirname, 'fixtures', fixture));
  }
}

function setThrottle(find: FindResources, limits: Record<string, number>): void {
  for (const { Properties } of find('AWS::ApiGateway::Stage'))
    Object.assign(Properties.MethodSettings[0], limits);
}
