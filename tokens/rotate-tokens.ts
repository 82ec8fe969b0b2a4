import type { TokenRecord } from '../lambda/shared/tokens/token-record.ts';
import { type IssuedToken, type IssueOptions, issueToken } from './issue-token.ts';
import { tokensNamed } from './live-tokens.ts';
import { nowSeconds } from './now.ts';
import type { TokenStore } from './token-store.ts';

export interface RotateOptions extends IssueOptions {
  /** How long the old tokens still work; one that expires sooner does so. */
  readonly overlapSeconds: number;
}

export interface Rotation {
  readonly successor: IssuedToken;
  /** The old tokens, with the time when each now expires. */
  readonly replaced: readonly (TokenRecord & { readonly expiresAt: number })[];
}

/**
 * Issues a client's next token and lets those that it has live a while longer. Where that stops halfway,
 * the client has what it had, or all of it for the overlap, and the command can be run again: a successor
 * that nobody has seen is replaced with the rest.
 *
 * @throws OperatorError where the client has no token
 */
export async function rotateTokens(
  store: TokenStore,
  { overlapSeconds, ...options }: RotateOptions,
): Promise<Rotation> {
  const old = await tokensNamed(store, options.name);
  const successor = await issueToken(store, options);
  const end = nowSeconds() + overlapSeconds;
  for (const { id } of old) await store.expireBy(id, end);
  const replaced = old.map((token) => ({ ...token, expiresAt: Math.min(token.expiresAt ?? end, end) }));
  return { successor, replaced };
}
