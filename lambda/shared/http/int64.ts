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
  const { sign, whole = '', fraction = '', exponent = 0 } = NUMBER.exec(source)?.groups ?? {};
  const digits = (whole + fraction).replace(/^0+/, '');
  // Without the lookbehind, a million zeros before a one would take quadratic time.
  const significant = digits.replace(/(?<!0)0+$/, '');
  if (significant === '') return whole === '' ? undefined : 0n;

  // Counts the zeros before writing any, because 1e999999999 must not become a billion digits.
  const trailingZeros = Number(exponent) - fraction.length + (digits.length - significant.length);
  if (trailingZeros < 0 || significant.length + trailingZeros > MAX_DIGITS) return undefined;

  const value = BigInt(`${sign}${significant}${'0'.repeat(trailingZeros)}`);
  return value >= MIN_INT64 && value <= MAX_INT64 ? value : undefined;
}
