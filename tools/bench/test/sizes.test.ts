import { expect, test } from '@jest/globals';
import { FUNCTION_NAMES } from '../../../lib/names.ts';
import { documentedTotals, measureSizes } from '../sizes.ts';

const sizes = measureSizes();
const documented = documentedTotals();

test.each(FUNCTION_NAMES.map((name) => ({ name, bytes: documented.get(name) })))(
  'the $name bundle is within 1 KB of the documented $bytes bytes; if it is not, run npm run bench -- --sizes',
  ({ name, bytes }) => {
    expect(Math.abs(Number(sizes[name]?.total) - Number(bytes))).toBeLessThan(1_000);
  },
);
