import { ContractError } from './contract.ts';

/**
 * A tenth of the longest string that is matched, and the most steps that it may take. Quadratic time stays below this
 * limit; cubic and exponential time exceed it, whether the pattern's repetition is limited or not.
 */
const LIMITS = { maxAttackStringSize: 100, maxGeneStringSize: 100, attackLimit: 50_000 };
/** Without timeouts, the result does not depend on the machine. */
const NO_TIMEOUTS = { timeout: null, attackTimeout: null, incubationTimeout: null, seedingTimeout: null };

/**
 * @param patterns by their pointers
 * @throws ContractError if a pattern is invalid, or can take too long
 */
export async function checkPatterns(patterns: ReadonlyMap<string, string>): Promise<void> {
  for (const [pointer, pattern] of patterns) {
    // recheck's other backends are native programs, which package.json excludes.
    process.env.RECHECK_BACKEND = 'pure';
    // Imported here, because this package of 3 MB is needed only for contracts with a pattern.
    const { checkSync } = await import('recheck');
    // recheck's search does not get past a long counted part, such as in `^\d{60}-(a+)+$`, so that is shortened, too.
    const forms = new Set([pattern, pattern.replaceAll(/\{\d{2,}(,\d*)?\}/g, '{2}')]);
    // Its other checker considers every limited repetition safe, such as `(a?){30}a{30}`.
    const isSafe = (form: string) =>
      checkSync(form, 'u', { checker: 'fuzz', ...LIMITS, ...NO_TIMEOUTS }).status === 'safe';
    if ([...forms].every(isSafe)) continue;
    throw new ContractError(
      pointer,
      `the pattern ${pattern} is invalid or can take too long; rewrite it so that a string can match in only one way`,
    );
  }
}
