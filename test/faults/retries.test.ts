import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { plantsTable } from '../../lambda/create-plant/plants-table.ts';
import { dynamodb } from '../../lambda/dynamodb.ts';
import { type Service, startService } from '../end-to-end/service.ts';
import { synthesizedAssembly } from '../end-to-end/synthesized-assembly.ts';
import { type Fault, faults } from './fault.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';

let storage: Service;
let proxy: FaultProxy;
let client: ReturnType<typeof dynamodb>;
let id = 0n;
beforeAll(async () => {
  storage = await startService();
  proxy = await startFaultProxy(storage.stage.dynamodbEndpoint);
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: proxy.url,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
  });
  client = dynamodb();
});
afterAll(async () => {
  client.destroy();
  await proxy.stop();
  await storage.stop();
});

/** Puts a new plant while the store's calls go as told, and then well. */
async function putWhile(...script: Fault[]) {
  const plants = storage.stage.tableNames.find((name) => name.startsWith('Plants')) ?? '';
  const before = proxy.faults.length;
  proxy.decide = () => script.shift() ?? 'none';
  id += 1n;
  const plant = { id, name: 'Ficus' };
  const outcome = await plantsTable(client, plants)(plant).catch(({ number }) => number.error);
  return { outcome, calls: proxy.faults.length - before, stored: await storage.stored(id) };
}

const applied = faults.filter((fault) => fault.startsWith('applied'));
const refused = faults.filter((fault) => /^(throttled|over|failed|reset)/.test(fault));
const forever = (fault: Fault) => Array.from({ length: 20 }, () => fault);

describe('a call to the store that fails once is repeated', () => {
  test.each(refused)('when it was %s', async (fault) => {
    await expect(putWhile(fault)).resolves.toMatchObject({ outcome: 'created', calls: 2 });
  });

  test.each(applied)('when it was %s: it finds its own plant, not another’s', async (fault) => {
    await expect(putWhile(fault)).resolves.toMatchObject({ outcome: 'repeated', calls: 2 });
  });

  test('when it stalled, and is applied in the end', async () => {
    const put = await putWhile('stalled and applied after all');
    await proxy.settled();
    expect(put).toMatchObject({ outcome: 'created', calls: 2, stored: { name: 'Ficus' } });
    await expect(storage.stored(id)).resolves.toMatchObject({ name: 'Ficus' });
  });
});

describe('a store that keeps failing', () => {
  test.each([...refused, ...applied])(
    'is asked a few times when calls are %s, then it is a 1500',
    async (fault) => {
      const { outcome, calls, stored } = await putWhile(...forever(fault));
      expect(outcome).toBe(1500);
      expect(calls).toBeGreaterThan(1);
      expect(calls).toBeLessThan(5);
      expect(stored?.name).toBe(fault.startsWith('applied') ? 'Ficus' : undefined);
    },
  );

  test('and never answers is given up well before the function’s own time is', async () => {
    const start = performance.now();
    const { outcome } = await putWhile(...forever('stalled and never applied'));
    const seconds = (performance.now() - start) / 1000;

    expect(outcome).toBe(1500);
    expect(seconds).toBeLessThan((await shortestTimeout()) - 1);
  }, 15_000);
});

/** Of the functions in the template, in seconds. */
async function shortestTimeout(): Promise<number> {
  const template = await readFile(join(synthesizedAssembly(), 'PlantStore-dev.template.json'), 'utf8');
  const resources: { Type: string; Properties: { Timeout?: number } }[] = Object.values(
    JSON.parse(template).Resources,
  );
  const functions = resources.filter(({ Type }) => Type === 'AWS::Lambda::Function');
  return Math.min(...functions.map(({ Properties }) => Properties.Timeout ?? 3));
}
