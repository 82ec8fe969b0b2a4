import { UserError } from '../command-line/failures.ts';

const SEE_HELP = 'see npm run token -- --help';

/**
 * A client, which messages call NAME. It has no quotes, so that it is logged unchanged. It is shorter than tokens
 * and secrets, because messages repeat it but must never repeat those.
 */
const CLIENT = /^[A-Za-z0-9][A-Za-z0-9 ._@-]{0,47}$/;

/**
 * @throws UserError if there is not exactly one client; the message does not repeat the value, because it may be a token
 */
export function requireClient(positionals: readonly string[], placeholder: string): string {
  const [client = ''] = positionals;
  if (positionals.length !== 1) {
    throw new UserError(
      `expected one ${placeholder}, got ${positionals.length} (quote a name with spaces); ${SEE_HELP}`,
    );
  }
  if (CLIENT.test(client)) return client;
  throw new UserError(
    `${placeholder} must have 1 to 48 characters (letters, digits, spaces, . _ @ -) and start with a letter or digit, ` +
      `got a value of length ${client.length} (not shown, because it may be a token); ${SEE_HELP}`,
  );
}

export const DEFAULT_LIFETIME = '90d';

/**
 * Returns the lifetime in seconds; undefined for `never`.
 *
 * @throws UserError if the option is neither a duration above zero nor `never`
 */
export function lifetimeOf(expires = DEFAULT_LIFETIME): number | undefined {
  if (expires === 'never') return undefined;
  return parseDuration('--expires', expires, 1);
}

export const DEFAULT_OVERLAP = '24h';

/** Returns the overlap in seconds. @throws UserError if the option is not a duration */
export function overlapOf(overlap = DEFAULT_OVERLAP): number {
  return parseDuration('--overlap', overlap, 0);
}

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };
const MAX_SECONDS = 3650 * 86_400;

/** Converts a duration such as `90d` to seconds. Errors do not repeat the value, because it may be a token. */
function parseDuration(option: string, duration: string, minimum: number): number {
  const [, count, unit = ''] = /^(\d+)(.)$/.exec(duration) ?? [];
  const seconds = Number(count) * (SECONDS[unit] ?? Number.NaN);
  if (seconds >= minimum && seconds <= MAX_SECONDS) return seconds;
  throw new UserError(
    `${option} must be a duration from ${minimum}s to 3650d, such as 45s, 30m, 24h, 90d or 12w; ${SEE_HELP}`,
  );
}
