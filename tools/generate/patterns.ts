import type { Diagnostics } from 'recheck';
import { ContractError } from '../operator/contract.ts';
import { MAX_MATCHED } from './schema.ts';

const LIMITS = {
  maxAttackStringSize: MAX_MATCHED,
  maxGeneStringSize: MAX_MATCHED,
  // The most steps for such a string: quadratic time stays below this limit; cubic and exponential time exceed it.
  attackLimit: 50_000,
  // Without timeouts, the result does not depend on the machine.
  ...{ timeout: null, attackTimeout: null, incubationTimeout: null, seedingTimeout: null },
};

/**
 * @param patterns by their pointers
 * @throws ContractError if a pattern is invalid or not supported, or if a string is found for which it takes too long
 */
export async function checkPatterns(patterns: ReadonlyMap<string, string>): Promise<void> {
  for (const [pointer, pattern] of patterns) {
    const reject = (problem: string) => {
      throw new ContractError(pointer, `the pattern ${pattern} ${problem}`);
    };
    if (pattern.length > 100 || /^(?:[^\\]|\\[^1-9k])*\\[1-9k]/.test(pattern)) {
      reject(
        'has more than 100 characters or a back reference; check a part of it in lambda/ instead',
      );
    }
    if (await isSlow(pattern)) {
      reject(
        'is invalid or can take too long; rewrite it so that a string can match in only one way',
      );
    }
  }
}

async function isSlow(pattern: string): Promise<boolean> {
  // recheck's other backends are native programs, which package.json excludes.
  process.env.RECHECK_BACKEND = 'pure';
  // Imported here, because this package of 3 MB is needed only for contracts with a pattern.
  const { checkSync } = await import('recheck');
  const check = (form: string, checker: 'auto' | 'automaton' | 'fuzz') =>
    checkSync(form, 'u', { ...LIMITS, checker });
  const result = check(pattern, 'auto');
  // The automaton considers every limited repetition quick, such as `([a-z]{1,9}){1,9}`.
  const counted = result.checker === 'fuzz' ? result : check(pattern, 'fuzz');
  // The fuzzer tries no characters above U+FFFF, and does not get past long counts, such as in `^\d{60}-(a+)+$`.
  const loose = pattern
    .replaceAll(/\{(?=\d*,?\d\d)[\d,]+\}/g, '+')
    .replaceAll(/\(\?<?[=!]/g, '(?:|');
  const isLooseSlow = () => exceeds(check(loose, 'automaton'), Number.POSITIVE_INFINITY);
  return counted.status !== 'safe' || exceeds(result, 2) || isLooseSlow();
}

/** Returns whether the time is exponential, or polynomial of a higher degree. */
function exceeds(result: Diagnostics, degree: number): boolean {
  if (result.status !== 'vulnerable') return false;
  return result.complexity.type === 'exponential' || result.complexity.degree > degree;
}
