/** Whether a number is a multiple of another in decimal digits: 19.99 is a multiple of 0.01, but 19.99 / 0.01 is not an integer. */
export function isMultipleOf(value: number, divisor: number): boolean {
  const [a, b] = [decimal(value), decimal(divisor)];
  const exponent = Math.min(a.exponent, b.exponent);
  const scaled = (number: typeof a) => number.digits * 10n ** BigInt(number.exponent - exponent);
  return scaled(a) % scaled(b) === 0n;
}

/** A tenth of a finite number, without its sign, as an integer times a power of ten: only the ratio of two matters. */
function decimal(value: number): { digits: bigint; exponent: number } {
  const [mantissa, exponent] = value.toExponential().split('e');
  const digits = `${mantissa}`.replace(/\D/g, '');
  return { digits: BigInt(digits), exponent: Number(exponent) - digits.length };
}
