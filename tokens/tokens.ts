import { mintAccessToken } from '../lambda/shared/tokens/access-token.ts';
import type { TokenRecord } from '../lambda/shared/tokens/token-record.ts';
import { NoSuchTokenError, OperatorError } from './errors.ts';
import type { TokenStore } from './token-store.ts';

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

export interface Rotation {
  readonly successor: IssuedToken;
  /** The old tokens with their new expiry. */
  readonly replaced: readonly (TokenRecord & { readonly expiresAt: number })[];
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
 * @throws NoSuchTokenError if the client has no live token
 */
export async function rotateTokens(
  store: TokenStore,
  { overlapSeconds, ...options }: RotateOptions,
): Promise<Rotation> {
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
 * Returns the live token with a name or an id.
 *
 * @throws NoSuchTokenError if there is none
 * @throws OperatorError if the name has several
 */
export async function findToken(store: TokenStore, nameOrId: string): Promise<TokenRecord> {
  const [token, ...others] = (await liveTokens(store)).filter(
    ({ id, name }) => id === nameOrId || name === nameOrId,
  );
  if (token === undefined) throw new NoSuchTokenError(`no token has the name or id "${nameOrId}"`);
  if (others.length === 0) return token;
  const ids = [token, ...others].map(({ id }) => id);
  throw new OperatorError(`"${nameOrId}" has ${ids.length} tokens; name one by its id: ${ids.join(', ')}`);
}
