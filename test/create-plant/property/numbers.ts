import fc from 'fast-check';

const MIN = -(2n ** 63n);
const MAX = 2n ** 63n - 1n;

/** Any int64. Values near the limits, and near the limits of JavaScript's exact integers, are especially frequent. */
export const int64s: fc.Arbitrary<bigint> = fc.oneof(
  fc.bigInt({ min: MIN, max: MAX }),
  ...[MIN + 10n, MAX - 10n, 0n, 2n ** 53n, -(2n ** 53n), 10n ** 18n].map((around) =>
    fc.bigInt({ min: around - 10n, max: around + 10n }),
  ),
);

/** An integer, written in any way that JSON allows, such as `7100`, `7.1e3`, `71.00E+2` or `7100000e-3`. */
export const spelledInteger = (value: bigint): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 2, arbitrary: fc.constant(String(value)) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.integer({ min: -20, max: 25 }), fc.nat(3), fc.constantFrom('e', 'E'), fc.boolean())
        .map(([shift, zeros, e, plus]) => shifted(value, shift, zeros, e, plus)),
    },
  );

/** Any number that JSON's grammar allows: huge, tiny, long, or close to an int64. */
export const writtenNumber: fc.Arbitrary<string> = fc.oneof(
  fc.bigInt({ min: MIN - 3n, max: MIN + 3n }).map(String),
  fc.bigInt({ min: MAX - 3n, max: MAX + 3n }).map(String),
  fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }).map(String),
  fc.stringMatching(/^-?(0|[1-9]\d{0,25})(\.\d{1,25})?([eE][+-]?\d{1,3})?$/),
  fc.tuple(int64s, fc.integer({ min: 1, max: 9 })).map(([whole, tenth]) => `${whole}.${tenth}`),
  fc.constantFrom('1e400', '-1e400', '1e-400', '1e999999999', '0e999999999', '-0', '-0.0e-5', '5e-324'),
  fc
    .tuple(fc.integer({ min: 1, max: 5_000 }), fc.boolean())
    .map(([zeros, back]) => `1${'0'.repeat(zeros)}${back ? `e-${zeros}` : ''}`),
);

/** `value` with its decimal point moved to the left by `shift` digits, and an exponent that compensates for this. */
function shifted(value: bigint, shift: number, zeros: number, e: string, plus: boolean): string {
  const sign = value < 0n ? '-' : '';
  const digits = String(value).replace('-', '');
  if (shift <= 0) {
    const mantissa = value === 0n ? '0' : `${digits}${'0'.repeat(-shift)}`;
    return `${sign}${mantissa}${e}${shift === 0 ? '-0' : shift}`;
  }
  const padded = digits.padStart(shift + 1, '0');
  const fraction = padded.slice(-shift) + '0'.repeat(zeros);
  return `${sign}${padded.slice(0, -shift)}.${fraction}${e}${plus ? '+' : ''}${shift}`;
}
