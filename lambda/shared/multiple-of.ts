/** Uses decimal arithmetic: 19.99 is a multiple of 0.01, although in JavaScript, 19.99 / 0.01 is not an integer. */
export function isMultipleOf(value: number, divisor: number): boolean {
  // JSON.parse returns Infinity for 1e400.
  if (!Number.isFinite(value)) return false;
  const [a, b] = [decimal(value), decimal(divisor)];
  const exponent = Math.min(a.exponent, b.exponent);
  const scaled = (number: typeof a) => number.digits * 10n ** BigInt(number.exponent - exponent);
  return scaled(a) % scaled(b) === 0n;
}

/** A finite number as an integer times a power of ten. */
function decimal(value: number): { digits: bigint; exponent: number } {
  const [mantissa, exponent] = value.toExponential().split('e');
  const [whole, fraction = ''] = `${mantissa}`.split('.');
  return { digits: BigInt(`${whole}${fraction}`), exponent: Number(exponent) - fraction.length };
}
