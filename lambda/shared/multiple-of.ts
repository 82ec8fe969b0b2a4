/** Whether a number is a multiple of another one as they are written: 19.99 is one of 0.01, unlike 19.99 / 0.01. */
export function isMultipleOf(value: number, divisor: number): boolean {
  const [a, b] = [decimal(value), decimal(divisor)];
  const exponent = Math.min(a.exponent, b.exponent);
  const [scaled, by] = [a, b].map((each) => each.digits * 10n ** BigInt(each.exponent - exponent));
  return by !== undefined && scaled !== undefined && scaled % by === 0n;
}

/** The number as an integer times a power of ten. */
function decimal(value: number): { digits: bigint; exponent: number } {
  const [mantissa = '', power = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length };
}
