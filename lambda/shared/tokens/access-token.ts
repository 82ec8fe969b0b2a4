import { createHash, randomBytes } from 'node:crypto';

/**
 * An access token is `plantstore_<id>_<secret>`, in the alphabet of RFC 6750. The prefix lets secret scanners find a
 * leaked token; the id is public and may be logged; the secret is 256 random bits, and only its SHA-256 is stored.
 * A fast hash is enough, because nobody can guess 256 random bits (docs/decisions.md#access-tokens).
 */
const PREFIX = 'plantstore';
const ID_BYTES = 8;
const SECRET_BYTES = 32;

/** The pattern of an access token, without anchors or capturing groups. */
export const ACCESS_TOKEN_PATTERN = `${PREFIX}_[0-9a-f]{${2 * ID_BYTES}}_[0-9a-f]{${2 * SECRET_BYTES}}`;

const ACCESS_TOKEN = new RegExp(`^${ACCESS_TOKEN_PATTERN}$`);

/** A well-formed access token that nobody has. */
export const UNKNOWN_ACCESS_TOKEN = `${PREFIX}_${'0'.repeat(2 * ID_BYTES)}_${'0'.repeat(2 * SECRET_BYTES)}`;

/** The public id of an access token. */
export const TOKEN_ID = new RegExp(`^[0-9a-f]{${2 * ID_BYTES}}$`);

interface HashedToken {
  readonly id: string;
  /** SHA-256 of the secret, in hex. */
  readonly hash: string;
}

/** Returns a new access token, which must not be stored, and its hash. */
export function mintAccessToken(): HashedToken & { readonly token: string } {
  const id = randomBytes(ID_BYTES).toString('hex');
  const secret = randomBytes(SECRET_BYTES).toString('hex');
  return { id, hash: sha256(secret), token: `${PREFIX}_${id}_${secret}` };
}

/** Returns the id and the hash of an access token, or undefined if the string is not an access token. */
export function parseAccessToken(token: string): HashedToken | undefined {
  if (!ACCESS_TOKEN.test(token)) return undefined;
  const secret = token.slice(-2 * SECRET_BYTES);
  return { id: token.slice(PREFIX.length + 1, -secret.length - 1), hash: sha256(secret) };
}

function sha256(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** What the tokens table stores about an access token, but never the token itself; `id` is the table's key. */
export interface TokenRecord extends HashedToken {
  readonly client: string;
  /** In seconds since 1970. */
  readonly issuedAt: number;
  /** In seconds since 1970. DynamoDB deletes an expired item within days. */
  readonly expiresAt?: number;
}

const SHA256_HEX = /^[0-9a-f]{64}$/;

/** The attribute that DynamoDB's Time to Live (TTL) uses to delete expired items. */
export const EXPIRES_AT: keyof TokenRecord = 'expiresAt';

/** @throws Error if an item in the tokens table is not a TokenRecord */
export function asTokenRecord(item: Record<string, unknown>): TokenRecord {
  if (!isTokenRecord(item))
    throw new Error(`the item ${item.id} in the tokens table is not a token record`);
  return item;
}

export function isTokenRecord<Item extends Readonly<Record<string, unknown>>>(
  item: Item,
): item is Item & TokenRecord {
  return (
    typeof item.id === 'string' &&
    typeof item.client === 'string' &&
    typeof item.hash === 'string' &&
    SHA256_HEX.test(item.hash) &&
    isTime(item.issuedAt) &&
    (item.expiresAt === undefined || isTime(item.expiresAt))
  );
}

/** Whether a value is a time in seconds since 1970 that a Date can represent. */
function isTime(value: unknown): boolean {
  return typeof value === 'number' && !Number.isNaN(new Date(value * 1000).getTime());
}
