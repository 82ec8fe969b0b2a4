/** Parses JSON without rounding: an integer that a number cannot hold safely becomes a bigint. */
export function parseExactly(text: string) {
  return JSON.parse(text, (_key, value, context?: { source?: string }) => {
    const isRounded = Number.isInteger(value) && !Number.isSafeInteger(value);
    return isRounded && /^-?\d+$/.test(context?.source ?? '')
      ? BigInt(context?.source ?? value)
      : value;
  });
}

/** Returns the value as JSON, with all digits of bigints. */
export function writeExactly(value: unknown): string {
  return JSON.stringify(value, (_key, each) =>
    typeof each === 'bigint' ? JSON.rawJSON(`${each}`) : each,
  );
}
