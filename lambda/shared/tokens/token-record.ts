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

/** The attribute that DynamoDB's time to live watches. */
export const EXPIRES_AT: keyof TokenRecord = 'expiresAt';

/** @throws Error if an item of the tokens table is not a TokenRecord */
export function asTokenRecord(item: Record<string, unknown>): TokenRecord {
  if (!isTokenRecord(item)) throw new Error(`item ${item.id} of the tokens table is not a token record`);
  return item;
}

function isTokenRecord(item: Record<string, unknown>): item is Record<string, unknown> & TokenRecord {
  return (
    typeof item.id === 'string' &&
    typeof item.name === 'string' &&
    typeof item.hash === 'string' &&
    typeof item.issuedAt === 'number' &&
    (item.expiresAt === undefined || typeof item.expiresAt === 'number')
  );
}
