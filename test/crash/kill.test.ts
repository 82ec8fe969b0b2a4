import { expect, test } from '@jest/globals';
import { seededRandom } from '../support/seeded-random.ts';
import { killAgainAndAgain } from './kill-rounds.ts';

const seed = Number(process.env.CRASH_SEED ?? Date.now());

test(`kill -9 under load loses no acknowledged plant and leaves no process (CRASH_SEED=${seed})`, async () => {
  const faults = await killAgainAndAgain({ rounds: 2, random: seededRandom(seed) });
  expect(faults.slice(0, 5)).toEqual([]);
}, 60_000);
