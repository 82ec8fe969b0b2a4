import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { synthesize } from '../../emulator/index.ts';
import { announceAssembly } from './synthesized-assembly.ts';
import { UNTHROTTLED } from './unthrottled.ts';

export interface LongRun {
  /** The same seed repeats a run. */
  readonly seed: number;
  /** How many cases or creations the suite runs. */
  readonly amount: number;
}

/**
 * Runs the long form of a suite as a command: `node … [--seed N] [--NAME-OF-AMOUNT N]`. It prints its seed
 * first, and exits with 1 if it failed.
 */
export async function longRun(
  { amountOf, byDefault }: { amountOf: string; byDefault: number },
  run: (options: LongRun) => Promise<void>,
): Promise<void> {
  const { values } = parseArgs({ options: { seed: { type: 'string' }, [amountOf]: { type: 'string' } } });
  const seed = wholeNumber('seed', values.seed, Math.floor(Math.random() * 2 ** 31));
  const amount = wholeNumber(amountOf, values[amountOf], byDefault);
  const assembly = await mkdtemp(join(tmpdir(), 'plant-store-assembly-'));
  console.log(`--seed ${seed} --${amountOf} ${amount}`);
  const start = performance.now();
  try {
    await synthesize({
      project: join(import.meta.dirname, '../..'),
      output: assembly,
      context: UNTHROTTLED,
    });
    announceAssembly(assembly);
    await run({ seed, amount });
    console.log(`Passed in ${Math.round((performance.now() - start) / 1000)} s.`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    if (error instanceof Error && error.cause !== undefined) console.error(error.cause);
    console.error(`Failed with --seed ${seed} --${amountOf} ${amount}`);
    process.exitCode = 1;
  } finally {
    await rm(assembly, { recursive: true, force: true });
  }
}

/** @throws Error if it is not one: a suite of NaN cases would pass without having tried one */
function wholeNumber(option: string, text: unknown, byDefault: number): number {
  if (text === undefined) return byDefault;
  if (typeof text === 'string' && /^\d{1,15}$/.test(text)) return Number(text);
  throw new Error(`--${option} must be a whole number, such as --${option} ${byDefault}`);
}
