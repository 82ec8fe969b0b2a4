/** `npm run test:load`: mixed requests beside thousands of rude clients; memory may not keep growing. */
import { longRun } from '../support/long-run.ts';
import { startLoadedStage } from './loaded-stage.ts';
import { memoryOf } from './memory.ts';
import { sendMixed } from './requests.ts';
import { pipeline, startRudeClients } from './rude-clients.ts';

const IDLE_CONNECTIONS = 2_000;
const PHASES = 6;
/** How much more the largest process may have at the end than after the first half. */
const MAX_GROWTH = 1.3;

await longRun({ amountOf: 'seconds', byDefault: 120 }, async ({ amount }) => {
  const { stage, client, stop } = await startLoadedStage();
  try {
    const rude = await startRudeClients(client, IDLE_CONNECTIONS);
    const largest: number[] = [];
    for (let phase = 1; phase <= PHASES; phase += 1) {
      const end = Date.now() + (amount * 1000) / PHASES;
      const sent = await sendMixed(client, { concurrency: 32, more: () => Date.now() < end });
      const statuses = await pipeline(
        client,
        Array.from({ length: 100 }, (_, id) => -1 - id),
      );
      if (statuses.some((status) => status !== 200)) throw new Error(`pipelined requests got ${statuses}`);
      const memory = memoryOf(stage);
      largest.push(memory[0] ?? 0);
      console.log(`${phase} of ${PHASES}: ${sent} requests; megabytes by process: ${memory.join(' ')}`);
    }
    rude.end();
    const [half, end] = [Math.max(...largest.slice(0, PHASES / 2)), largest.at(-1) ?? 0];
    if (end > half * MAX_GROWTH) throw new Error(`memory grew from ${half} to ${end} megabytes`);
  } finally {
    await stop();
  }
});
