/** `npm run test:fuzz`: the properties on many cases. `-- --seed N` replays a run, `-- --cases N` bounds it. */
import fc from 'fast-check';
import { handlerTarget } from '../in-process/lambda/handler-target.ts';
import { longRun } from '../support/long-run.ts';
import { startService } from '../support/service.ts';
import type { Plant, Target } from '../support/target.ts';
import { nothingElseIsStored, type Property, properties } from './properties.ts';
import { serviceTarget } from './service-target.ts';

const OVER_HTTP = 0.2;
const PROGRESS_EVERY = 5_000;

await longRun({ amountOf: 'cases', byDefault: 100_000 }, async ({ seed, amount }) => {
  const overHttp = Math.ceil(amount * OVER_HTTP);
  let done = 0;
  const count = () => {
    done += 1;
    if (done % PROGRESS_EVERY === 0) console.log(`${done} of about ${amount} cases`);
  };
  const checkAll = async (cases: number, target: Target, plants: Map<string, Plant>, all: Property[]) => {
    const shares = all.reduce((sum, { share }) => sum + share, 0);
    for (const { name, share, property } of all) {
      console.log(`  ${name}`);
      const numRuns = Math.ceil((cases * share) / shares);
      await fc.assert(property.beforeEach(count), { numRuns, seed });
    }
    await nothingElseIsStored(target, plants);
  };

  console.log('The handler');
  const handler = handlerTarget();
  const plants = new Map<string, Plant>();
  await checkAll(amount - overHttp, handler, plants, properties(handler, plants));

  console.log('The service over HTTP');
  const service = await startService();
  try {
    const stored = new Map<string, Plant>();
    const http = serviceTarget(() => service);
    await checkAll(overHttp, http, stored, properties(http, stored));
  } finally {
    await service.stop();
  }
  console.log(`${done} cases`);
});
