/** The seed of random cases, which `SEED=7 npm test -- …` repeats. */
export const seed = wholeNumber('SEED', Date.now() % 2 ** 31);

/** How many random cases a suite tries: as many as fit into `npm test`, or `CASES=100000 npm test -- …`. */
export function casesOr(brief: number): number {
  return wholeNumber('CASES', brief);
}

/** @throws Error if the variable is set to anything else: a suite of NaN cases would pass without having tried one */
function wholeNumber(variable: string, byDefault: number): number {
  const { [variable]: text = `${byDefault}` } = process.env;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new Error(`${variable} must be a whole number, and is "${text}"`);
}
