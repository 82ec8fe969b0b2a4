import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { TOKEN_ID } from '../../lambda/shared/tokens/access-token.ts';
import { OperatorError } from './errors.ts';
import { nowSeconds } from './tokens.ts';

/** The service that a command works on; by default, the stage `dev`. */
export interface Target {
  readonly local?: boolean | undefined;
  readonly stage?: string | undefined;
}

/**
 * Parses what follows `npm run COMMAND --`.
 *
 * @throws OperatorError if an option is unknown or lacks its value
 */
export function parseOptions<T extends ParseArgsOptionsConfig>(
  args: readonly string[],
  command: string,
  options: T,
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    // Node's messages continue with advice: "Unknown option '--x'. To specify …".
    const fault = error instanceof Error ? error.message.replace(/\.\s.*/s, '') : String(error);
    const shown = fault.replace(/'-.{32,}'/, '(not shown: it may be a token)');
    throw new OperatorError(`${shown}; see npm run ${command} -- --help`);
  }
}

/**
 * The name of a client. It is logged unchanged, so it contains no quotes. It is shorter than a token or a secret,
 * because messages repeat a name but must never repeat a token or secret.
 */
const NAME = /^[A-Za-z0-9][A-Za-z0-9 ._@-]{0,47}$/;

/**
 * @throws OperatorError if the value is not a name; the message does not repeat the value, because it may be a token
 */
export function requireName(value: string | undefined, placeholder: string): string {
  if (value === undefined) throw new OperatorError(`${placeholder} is missing; see npm run token -- --help`);
  if (NAME.test(value)) return value;
  throw new OperatorError(
    `${placeholder} must be a letter or digit, followed by at most 47 letters, digits, spaces or . _ @ -, got ` +
      `${value.length} characters (not shown: they may be a token); see npm run token -- --help`,
  );
}

/**
 * @throws OperatorError if the value is not a name, or if it looks like an id, because `revoke` would treat it as an id
 *   first
 */
export function requireNewName(value: string | undefined): string {
  const name = requireName(value, 'NAME');
  if (!TOKEN_ID.test(name)) return name;
  throw new OperatorError('NAME must not look like a token id, got 16 hex digits; choose another NAME');
}

export const DEFAULT_LIFETIME = '90d';

/**
 * Returns when a token issued now expires, in seconds since 1970; undefined for `never`.
 *
 * @throws OperatorError if the option is neither a duration above zero nor `never`
 */
export function expiryOf(expires = DEFAULT_LIFETIME): number | undefined {
  if (expires === 'never') return undefined;
  return nowSeconds() + parseDuration('--expires', expires, 1, 'never');
}

export const DEFAULT_OVERLAP = '24h';

/** Returns seconds. @throws OperatorError if the option is not a duration */
export function overlapOf(overlap = DEFAULT_OVERLAP): number {
  return parseDuration('--overlap', overlap, 0, '0s for no overlap');
}

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };
const MAX_SECONDS = 3650 * 86_400;

/** Returns the seconds of a duration such as `90d`. The message does not repeat the value, which may be a token. */
function parseDuration(option: string, duration: string, minimum: number, other: string): number {
  const [, count, unit = ''] = /^(\d+)([smhdw])$/.exec(duration) ?? [];
  const seconds = Number(count) * (SECONDS[unit] ?? Number.NaN);
  if (seconds >= minimum && seconds <= MAX_SECONDS) return seconds;
  throw new OperatorError(
    `${option} must be a duration such as 45s, 30m, 24h, 90d or 12w, at most 3650d, or ${other}`,
  );
}

/**
 * Returns the shell command that runs a token command, such as `list`, on the emulator that this environment selects.
 */
export function localCommandLine(command: string, { DATA_DIR }: NodeJS.ProcessEnv): string {
  return `${DATA_DIR ? `DATA_DIR=${shellQuoted(DATA_DIR)} ` : ''}npm run token -- ${command} --local`;
}

function shellQuoted(value: string): string {
  return /^[\w./:@-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`;
}
