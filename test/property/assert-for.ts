import fc from 'fast-check';
import type { Property } from './properties.ts';

/** Checks a property with its share of the cases. A failure reports seed and path. */
export const assertFor =
  (cases: number) =>
  async ({ property, share }: Property) =>
    fc.assert(property, { numRuns: Math.max(5, Math.ceil((cases * share) / 100)) });
