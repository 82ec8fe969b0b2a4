/** `npm run test:crash`: kill -9 at random moments under load, at least 20 times. */
import { longRun } from '../support/long-run.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { killAgainAndAgain } from './kill-rounds.ts';

await longRun({ amountOf: 'rounds', byDefault: 20 }, async ({ seed, amount }) => {
  let round = 0;
  const faults = await killAgainAndAgain({
    rounds: amount,
    random: seededRandom(seed),
    onRound: ({ victim, after, acknowledged }) => {
      round += 1;
      console.log(`${round}: killed ${victim} after ${after} plants, ${acknowledged} in all`);
    },
  });
  if (faults.length > 0) throw new Error(`${faults.length} faults:\n${faults.slice(0, 20).join('\n')}`);
});
