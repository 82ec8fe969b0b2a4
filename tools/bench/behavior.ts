import { isDeepStrictEqual } from 'node:util';
import { comparedEvents } from './inputs.ts';
import type { Probe } from './measure.ts';
import type { Kind, Variant } from './variants.ts';

/**
 * Compares what every variant returns and logs with what the deployed function, the first variant, returns and logs.
 *
 * @returns the number of compared requests
 * @throws Error if a variant differs
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
