import { mintAccessToken, TOKEN_ID, type TokenRecord } from '../../lambda/shared/tokens/access-token.ts';
import { NoSuchTokenError, OperatorError } from './errors.ts';
import type { Item, TokenStore } from './token-store.ts';

export interface IssueOptions {
  /** The client that gets the token. */
  readonly name: string;
  /** In seconds since 1970; undefined means never. */
  readonly expiresAt?: number | undefined;
}

export interface IssuedToken {
  readonly record: TokenRecord;
  /** The token itself, which is not stored. */
  readonly text: string;
}

export interface RotateOptions extends IssueOptions {
  /** How long the old tokens keep working, unless they expire sooner. */
  readonly overlapSeconds: number;
}

/** Seconds since 1970, the unit of token records. */
export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

/** Creates an access token and stores its hash. */
export async function issueToken(store: TokenStore, { name, expiresAt }: IssueOptions): Promise<IssuedToken> {
  const { id, hash, text } = mintAccessToken();
  const expiry = expiresAt === undefined ? {} : { expiresAt };
  const record: TokenRecord = { id, name, hash, issuedAt: nowSeconds(), ...expiry };
  await store.add(record);
  return { record, text };
}

/**
 * Issues a client's next token and shortens the life of its old ones to the overlap. If that fails halfway, the
 * client's tokens still work for the overlap at least, and running it again replaces the unseen successor too.
 *
 * @returns the new token, and the old ones with their new expiry
 * @throws NoSuchTokenError if the client has no live token
 */
export async function rotateTokens(store: TokenStore, { overlapSeconds, ...options }: RotateOptions) {
  const old = (await liveTokens(store)).filter(({ name }) => name === options.name);
  if (old.length === 0) throw new NoSuchTokenError(`no token has the name "${options.name}"`);
  const successor = await issueToken(store, options);
  const end = nowSeconds() + overlapSeconds;
  for (const { id } of old) await store.expireBy(id, end);
  const replaced = old.map((token) => ({ ...token, expiresAt: Math.min(token.expiresAt ?? end, end) }));
  return { successor, replaced };
}

/** Returns the tokens that work, by name and then by age. DynamoDB deletes expired ones hours later. */
export async function liveTokens(store: TokenStore): Promise<TokenRecord[]> {
  const now = nowSeconds();
  const live = (await store.all()).filter(({ expiresAt }) => expiresAt === undefined || expiresAt > now);
  return live.sort((a, b) => a.name.localeCompare(b.name) || a.issuedAt - b.issuedAt);
}

/**
 * Revokes the token with an id or, if there is none, the live token with a name.
 *
 * @returns what was removed: a token, or a malformed item with that id
 * @throws NoSuchTokenError if there is neither
 * @throws OperatorError if the name has several
 */
export async function revokeToken(store: TokenStore, nameOrId: string): Promise<Item> {
  // Does not read the table first: a leaked token must be revocable whatever else the table contains.
  const removed = TOKEN_ID.test(nameOrId) ? await store.remove(nameOrId) : undefined;
  if (removed !== undefined) return removed;
  const [token, ...others] = (await liveTokens(store)).filter(({ name }) => name === nameOrId);
  if (token === undefined) throw new NoSuchTokenError(`no token has the name or id "${nameOrId}"`);
  if (others.length > 0) {
    const ids = [token, ...others].map(({ id }) => id);
    throw new OperatorError(`"${nameOrId}" has ${ids.length} tokens; name one by its id: ${ids.join(', ')}`);
  }
  await store.remove(token.id);
  return { ...token };
}
