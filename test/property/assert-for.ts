import fc from 'fast-check';
import { casesOr, seed } from '../support/random-cases.ts';
import type { Property } from './properties.ts';

/** Checks a property with its share of the cases. If it fails, the error has the seed and the smallest failing case. */
export const assertFor =
  (brief: number) =>
  async ({ property, share }: Property) =>
    fc.assert(property, { numRuns: Math.max(5, Math.ceil((casesOr(brief) * share) / 100)), seed });
