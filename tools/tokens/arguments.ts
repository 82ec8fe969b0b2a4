import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { TOKEN_ID } from '../../lambda/shared/tokens/access-token.ts';
import { OperatorError } from './errors.ts';
import { nowSeconds } from './tokens.ts';

/** The options of every command. */
const commonOptions = {
  local: { type: 'boolean' },
  stage: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean' },
} as const satisfies ParseArgsOptionsConfig;

const ownOptions = {
  expires: { type: 'string' },
  overlap: { type: 'string' },
} as const satisfies ParseArgsOptionsConfig;

/** The options that only some commands have. */
export type OwnOption = keyof typeof ownOptions;

/** The stage whose tokens are meant: `dev` by default. */
export interface Target {
  readonly local?: boolean | undefined;
  readonly stage?: string | undefined;
}

/**
 * Parses what follows the name of a command. At most one positional is accepted.
 *
 * @throws OperatorError if the command has no such option, or an option lacks its value
 */
export function parseArguments(args: readonly string[], command: string, own: readonly OwnOption[]) {
  const accepted = Object.fromEntries(own.map((name) => [name, ownOptions[name]]));
  // A first pass rejects the options of other commands; the second has the types of all.
  parseOptions(args, command, { ...accepted, ...commonOptions });
  return parseOptions(args, command, { ...ownOptions, ...commonOptions });
}

/** @throws OperatorError that lists the options, if one is unknown or lacks its value */
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
    const names = Object.keys(options).map((name) => `--${name}`);
    throw new OperatorError(`${fault}; ${command} accepts ${names.join(', ')}`);
  }
}

/**
 * The name of a client, which is logged as it is: hence no quotes. It is shorter than a token and its secret, so that
 * neither passes for a name and is then repeated in a message.
 */
const NAME = /^[A-Za-z0-9][A-Za-z0-9 ._@-]{0,47}$/;

/** @throws OperatorError if it is not a name; the message does not repeat it, because it may be a token */
export function requireName(value: string | undefined, placeholder: string): string {
  if (value === undefined) {
    throw new OperatorError(`${placeholder} is missing; see npm run token -- --help`);
  }
  if (NAME.test(value)) return value;
  throw new OperatorError(
    `${placeholder} must be 1 to 48 letters, digits, spaces or any of . _ @ - and begin with a letter or digit`,
  );
}

/** @throws OperatorError if it is not a name, or looks like an id, which `revoke` would prefer */
export function requireNewName(value: string | undefined): string {
  const name = requireName(value, 'NAME');
  if (TOKEN_ID.test(name)) throw new OperatorError('NAME must not look like a token id (16 hex digits)');
  return name;
}

export const DEFAULT_LIFETIME = '90d';

/**
 * Returns when a token issued now expires, in seconds since 1970; undefined for `never`.
 *
 * @throws OperatorError if the option is neither a duration above zero nor `never`
 */
export function expiryOf(expires = DEFAULT_LIFETIME): number | undefined {
  if (expires === 'never') return undefined;
  const seconds = parseDuration(expires);
  if (!seconds) throw new OperatorError(`--expires must be ${DURATION}, or never`);
  return nowSeconds() + seconds;
}

export const DEFAULT_OVERLAP = '24h';

/** Returns seconds. @throws OperatorError if the option is not a duration */
export function overlapOf(overlap = DEFAULT_OVERLAP): number {
  const seconds = parseDuration(overlap);
  if (seconds === undefined) throw new OperatorError(`--overlap must be ${DURATION}, or 0s for none`);
  return seconds;
}

const DURATION = 'a duration such as 45s, 30m, 24h, 90d or 12w, at most 3650d';
const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };
const MAX_SECONDS = 3650 * 86_400;

/** Returns the seconds of a duration such as `90d`, or undefined if it is malformed or above ten years. */
function parseDuration(duration: string): number | undefined {
  const [, count, unit = ''] = /^(\d+)([smhdw])$/.exec(duration) ?? [];
  const seconds = Number(count) * (SECONDS[unit] ?? Number.NaN);
  return seconds <= MAX_SECONDS ? seconds : undefined;
}

/**
 * Returns the shell command that runs a token command on the same target, to suggest in a message.
 *
 * @param command with its NAME and its own options, for example `list`
 * @returns for example `npm run token -- list --local`
 */
export function commandLine(command: string, { local, stage }: Target, env: NodeJS.ProcessEnv): string {
  const dataDir = local && env.DATA_DIR ? `DATA_DIR=${shellQuoted(env.DATA_DIR)} ` : '';
  const target = local ? ' --local' : stage === undefined ? '' : ` --stage ${stage}`;
  return `${dataDir}npm run token -- ${command}${target}`;
}

function shellQuoted(value: string): string {
  return /^[\w./:@-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`;
}
