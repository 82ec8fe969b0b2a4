import { isDeepStrictEqual } from 'node:util';
import { comparedEvents } from './inputs.ts';
import type { Probe } from './measure.ts';
import type { Kind, Variant } from './variants.ts';

/**
 * Checks that every variant returns and logs the same as the first one, which is the deployed function.
 *
 * @returns the number of compared requests
 * @throws Error if a variant returns or logs something else
 */
export function compareBehavior(kind: Kind, variants: readonly Variant[], probe: Probe): number {
  const resultsOf = (variant: Variant) => probe.results(variant.entry, comparedEvents(kind, variant.name));
  const [ours, ...others] = variants;
  if (ours === undefined) throw new Error('there are no variants to compare');
  const expected = resultsOf(ours);
  for (const variant of others) {
    resultsOf(variant).forEach((result, index) => {
      if (isDeepStrictEqual(result, expected[index])) return;
      const difference = `${JSON.stringify(result)}; ours: ${JSON.stringify(expected[index])}`;
      throw new Error(`${kind}, request ${index}: ${variant.name} returns ${difference}`);
    });
  }
  return expected.length;
}
