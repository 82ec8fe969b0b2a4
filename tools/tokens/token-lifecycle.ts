import {
  isTokenRecord,
  mintAccessToken,
  TOKEN_ID,
  type TokenRecord,
} from '../../lambda/shared/tokens/access-token.ts';
import { UserError } from '../command-line/failures.ts';
import type { Item, TokensTable } from './tokens-table.ts';

export interface IssueOptions {
  readonly client: string;
  /** Undefined if the token never expires. */
  readonly lifetimeSeconds?: number | undefined;
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

/** Creates an access token and stores its record, without the secret. Returns the record and the token. */
export async function issueToken(table: TokensTable, { client, lifetimeSeconds }: IssueOptions) {
  const { id, hash, token } = mintAccessToken();
  const issuedAt = nowSeconds();
  const expiry = lifetimeSeconds === undefined ? {} : { expiresAt: issuedAt + lifetimeSeconds };
  const record: TokenRecord = { id, client, hash, issuedAt, ...expiry };
  await table.add(record);
  return { record, token };
}

/**
 * Issues a new token to a client, and makes the client's old tokens expire after the overlap. If this fails halfway,
 * the old tokens stay valid for at least the overlap. The next rotation then also replaces the token that was never
 * shown.
 *
 * @returns the new token, and the old tokens' ids with their new expiration times
 * @throws UserError if the client has no valid token
 */
export async function rotateTokens(
  table: TokensTable,
  options: IssueOptions,
  overlapSeconds: number,
) {
  const old = validTokens(await table.all()).filter(({ client }) => client === options.client);
  if (old.length === 0)
    throw new UserError(`no valid token for client "${options.client}"; ${SEE_LIST}`);
  const successor = await issueToken(table, options);
  const end = nowSeconds() + overlapSeconds;
  for (const { id } of old) await table.expireBy(id, end);
  const replaced = old.map(({ id, expiresAt = end }) => ({
    id,
    expiresAt: Math.min(expiresAt, end),
  }));
  return { successor, replaced };
}

const SEE_LIST =
  'to see all clients and ids, run npm run token -- list (with the same --local or --stage, if any)';

/**
 * Returns only the valid tokens among a table's items, sorted by client and then by age. A table may also contain expired
 * tokens, because DynamoDB may delete them days later.
 */
export function validTokens(items: readonly Item[]): TokenRecord[] {
  const now = nowSeconds();
  return items
    .filter(isTokenRecord)
    .filter(({ expiresAt }) => expiresAt === undefined || expiresAt > now)
    .sort((a, b) => a.client.localeCompare(b.client) || a.issuedAt - b.issuedAt);
}

/**
 * Revokes the token with the given id or, if there is none, the given client's valid token.
 *
 * @throws UserError if there is no such id or client, or if the client has several tokens
 */
export async function revokeToken(table: TokensTable, clientOrId: string): Promise<Item> {
  // Does not read the table first, so that a leaked token can be revoked whatever else the table contains.
  const removed = TOKEN_ID.test(clientOrId) ? await table.remove(clientOrId) : undefined;
  if (removed !== undefined) return removed;
  const tokens = validTokens(await table.all()).filter(({ client }) => client === clientOrId);
  const [record] = tokens;
  if (record === undefined)
    throw new UserError(`no valid token for client or id "${clientOrId}"; ${SEE_LIST}`);
  if (tokens.length > 1) {
    const ids = tokens.map(({ id }) => JSON.stringify(id)).join(', ');
    throw new UserError(
      `the client "${clientOrId}" has ${tokens.length} tokens: ${ids}; specify one of these ids`,
    );
  }
  await table.remove(record.id);
  return { ...record };
}
