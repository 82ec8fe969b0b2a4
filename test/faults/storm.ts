/** `npm run test:faults`: thousands of creations under random faults. `-- --seed N` repeats a run. */

import { seededRandom } from '../../scripts/seeded-random.ts';
import { startFaultyService } from '../support/faulty-service.ts';
import { longRun } from '../support/long-run.ts';
import { createUnderFaults } from './create-under-faults.ts';

const CONCURRENCY = 48;

await longRun({ amountOf: 'creations', byDefault: 5_000 }, async ({ seed, amount }) => {
  const faulty = await startFaultyService();
  try {
    const onProgress = (done: number) => {
      if (done % 500 === 0)
        console.log(`${done} of ${amount} creations, ${faulty.proxy.faults.length} calls`);
    };
    const random = seededRandom(seed);
    const found = await createUnderFaults(faulty, {
      creations: amount,
      concurrency: CONCURRENCY,
      random,
      onProgress,
    });
    for (const [fault, calls] of Object.entries(Object.groupBy(faulty.proxy.faults, (fault) => fault))) {
      console.log(`  ${String(calls?.length).padStart(6)} calls ${fault}`);
    }
    if (found.length > 0)
      throw new Error(`${found.length} contradictions:\n${found.slice(0, 20).join('\n')}`);
    const { status } = await faulty.create({ id: -1, name: 'after' });
    if (status !== 200) throw new Error(`after the faults it returned ${status}`);
  } finally {
    await faulty.stop();
  }
});
