import { isDeepStrictEqual } from 'node:util';
import { table } from './inputs.ts';
import type { Probe } from './measure.ts';
import type { Kind, Variant } from './variants.ts';

/** Returns the number of compared requests. @throws Error if a variant responds differently from ours */
export function checkBehaviour(kind: Kind, variants: readonly Variant[], probe: Probe): number {
  const answers = (variant: Variant) => probe.answers(variant.entry, table(kind, variant.name));
  const [ours, ...others] = variants;
  if (ours === undefined) throw new Error('nothing to compare');
  const expected = answers(ours);
  for (const variant of others) {
    answers(variant).forEach((answer, index) => {
      if (isDeepStrictEqual(answer, expected[index])) return;
      const difference = `${JSON.stringify(answer)}, ours: ${JSON.stringify(expected[index])}`;
      throw new Error(`${kind}, request ${index}: ${variant.name} answers ${difference}`);
    });
  }
  return expected.length;
}
