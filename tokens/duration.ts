const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/** Ten years: a longer duration is a slip of the finger. */
const LONGEST = 3650 * 86_400;

/** What an operator may type as a duration. */
export const DURATION = 'a duration such as 45s, 30m, 24h, 90d or 12w, at most 3650d';

/**
 * Reads a duration such as `90d`: a whole number and one of s, m, h, d and w.
 *
 * @returns seconds; undefined where the text is no duration, or too long a one
 */
export function parseDuration(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d+)([smhdw])$/.exec(text) ?? [];
  const seconds = Number(count) * (SECONDS[unit] ?? Number.NaN);
  return seconds <= LONGEST ? seconds : undefined;
}
