/** An access token in the tokens table: never the token itself. */
export interface TokenRecord {
  /** The public id within the token; the table's key. */
  readonly id: string;
  /** The token's holder. */
  readonly name: string;
  /** SHA-256 of the secret, in hex. */
  readonly hash: string;
  /** When it was issued, in seconds since 1970. */
  readonly issuedAt: number;
  /** When it stops working, in seconds since 1970; DynamoDB deletes it some time later. Absent: never. */
  readonly expiresAt?: number;
}

const SHA256_HEX = /^[0-9a-f]{64}$/;

/** The attribute that DynamoDB's time to live watches. */
export const EXPIRES_AT: keyof TokenRecord = 'expiresAt';

/** @throws Error if an item of the tokens table is not a TokenRecord */
export function asTokenRecord(item: Record<string, unknown>): TokenRecord {
  if (!isTokenRecord(item)) throw new Error(`item ${item.id} of the tokens table is not a token record`);
  return item;
}

export function isTokenRecord<Item extends Readonly<Record<string, unknown>>>(
  item: Item,
): item is Item & TokenRecord {
  return (
    typeof item.id === 'string' &&
    typeof item.name === 'string' &&
    typeof item.hash === 'string' &&
    SHA256_HEX.test(item.hash) &&
    isTime(item.issuedAt) &&
    (item.expiresAt === undefined || isTime(item.expiresAt))
  );
}

/** Whether a value is seconds since 1970, within the years of a Date. */
function isTime(value: unknown): boolean {
  return typeof value === 'number' && !Number.isNaN(new Date(value * 1000).getTime());
}
