import { describe, expect, test } from '@jest/globals';
import { parseInt64 } from '../../../../../lambda/shared/http/int64.ts';

describe('parseInt64', () => {
  test.each([
    ['0', 0n],
    ['-0', 0n],
    ['0.000', 0n],
    ['0e999999999', 0n],
    ['-42', -42n],
    ['5.0', 5n],
    ['7.1E+4', 71_000n],
    ['500e-2', 5n],
    ['0.00000000000000000001e20', 1n],
    ['9007199254740993', 9_007_199_254_740_993n],
    ['9223372036854775807', 2n ** 63n - 1n],
    ['-9223372036854775808', -(2n ** 63n)],
    ['9.223372036854775807e18', 2n ** 63n - 1n],
    ['92233720368547758070000e-4', 2n ** 63n - 1n],
  ])('reads %s as %s', (source, value) => {
    expect(parseInt64(source)).toBe(value);
  });

  test.each([
    '',
    '1x',
    'x1',
    '1.5',
    '5.0000000000000000000000001',
    '9007199254740992.5',
    '9223372036854775808',
    '-9223372036854775809',
    '1e19',
    '1e99999999999999999999',
    '1e-99999999999999999999',
  ])('returns undefined for what is not an int64: %j', (source) => {
    expect(parseInt64(source)).toBeUndefined();
  });

  test('reads a number with a million digits in linear time', () => {
    expect(parseInt64(`${'0'.repeat(1_000_000)}.${'0'.repeat(1_000_000)}1`)).toBeUndefined();
    expect(parseInt64(`12${'0'.repeat(1_000_000)}e-1000000`)).toBe(12n);
  });
});
