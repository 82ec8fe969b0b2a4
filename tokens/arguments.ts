import type { ParseArgsOptionsConfig } from 'node:util';
import type { CommandArguments } from '../command.ts';
import { DURATION, parseDuration } from '../duration.ts';
import { nowSeconds } from '../now.ts';
import { OperatorError } from '../operator-error.ts';

const LIFETIME = '90d';

export const lifetimeOption = { expires: { type: 'string' } } as const satisfies ParseArgsOptionsConfig;

export const LIFETIME_SYNOPSIS = `[--expires ${LIFETIME}]`;
export const LIFETIME_USAGE = `  --expires DURATION  how long it works: 45s, 30m, 24h, 90d, 12w or never; ${LIFETIME} unless said otherwise`;

/** When a token that is issued now expires, in seconds since 1970; undefined is never. @throws OperatorError */
export function expiry({ option }: CommandArguments): number | undefined {
  const text = option('expires') ?? LIFETIME;
  if (text === 'never') return undefined;
  const seconds = parseDuration(text);
  // A token that expires at once is of no use to anyone.
  if (!seconds) throw new OperatorError(`--expires takes ${DURATION}, or never`);
  return nowSeconds() + seconds;
}
