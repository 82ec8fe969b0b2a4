import { expect, test } from '@jest/globals';
import { FUNCTION_NAMES } from '../../../lib/names.ts';
import { documentedTotals, measureSizes } from '../sizes.ts';

const sizes = measureSizes();
const documented = documentedTotals();

test.each(FUNCTION_NAMES.map((name, column) => ({ name, bytes: documented[column] })))(
  'the bundle of $name has about $bytes bytes; if not, npm run bench -- --sizes shows why and documents it',
  ({ name, bytes }) => {
    expect(Math.abs(Number(sizes[name]?.total) - Number(bytes))).toBeLessThan(1_000);
  },
);
