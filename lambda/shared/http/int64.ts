export const MIN_INT64 = -(2n ** 63n);
export const MAX_INT64 = 2n ** 63n - 1n;
const MAX_DIGITS = MAX_INT64.toString().length;

const NUMBER = /^(?<sign>-?)(?<whole>\d+)(?:\.(?<fraction>\d+))?(?:[eE](?<exponent>[+-]?\d+))?$/;

/**
 * The exact value of a JSON number, read from its digits.
 *
 * @param source a JSON number as written, such as `9007199254740993` or `7.1e4`
 * @returns the number, or undefined if it is not an int64
 */
export function parseInt64(source: string): bigint | undefined {
  const parts = NUMBER.exec(source)?.groups;
  if (parts === undefined) return undefined;
  const { sign, whole, fraction = '', exponent = 0 } = parts;

  // The same number as significant digits and zeros after them: 71 and three zeros for 71000, 7.1e4 and 71e3.
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  // Without the lookbehind, a million zeros before a one would take quadratic time.
  const significant = digits.replace(/(?<!0)0+$/, '');
  if (significant === '') return 0n;
  const writtenZeros = digits.length - significant.length;
  const zeros = writtenZeros + Number(exponent) - fraction.length;

  const hasFraction = zeros < 0;
  // Checked before any zero is written, because 1e999999999 must not become a billion digits.
  const isTooLong = significant.length + zeros > MAX_DIGITS;
  if (hasFraction || isTooLong) return undefined;
  const value = BigInt(`${sign}${significant}${'0'.repeat(zeros)}`);
  return value >= MIN_INT64 && value <= MAX_INT64 ? value : undefined;
}
