/** The seed for random cases; `SEED=7 npm test -- …` repeats the cases of seed 7. */
export const seed = wholeNumber('SEED', Date.now() % 2 ** 31);

/** How many random cases a suite tries: `brief`, unless the command sets a number (`CASES=100000 npm test -- …`). */
export function casesOr(brief: number): number {
  return wholeNumber('CASES', brief);
}

/** @throws Error if the variable is not a whole number, because with NaN a suite would pass without trying any case */
function wholeNumber(variable: string, byDefault: number): number {
  const { [variable]: text = `${byDefault}` } = process.env;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new Error(`${variable} must be a whole number, got "${text}"`);
}
