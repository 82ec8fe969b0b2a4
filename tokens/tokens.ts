import { mintAccessToken } from '../lambda/shared/tokens/access-token.ts';
import type { TokenRecord } from '../lambda/shared/tokens/token-record.ts';
import { nowSeconds } from './now.ts';
import type { TokenStore } from './token-store.ts';

export interface IssueOptions {
  /** Who gets the token. */
  readonly name: string;
  /** In seconds since 1970. Absent: never. */
  readonly expiresAt?: number | undefined;
}

export interface IssuedToken {
  readonly record: TokenRecord;
  /** The token itself: this is the only time that it is seen. */
  readonly text: string;
}

/** Makes a new access token and stores its hash. */
export async function issueToken(store: TokenStore, { name, expiresAt }: IssueOptions): Promise<IssuedToken> {
  const { id, hash, text } = mintAccessToken();
  const expiry = expiresAt === undefined ? {} : { expiresAt };
  const record: TokenRecord = { id, name, hash, issuedAt: nowSeconds(), ...expiry };
  await store.add(record);
  return { record, text };
}
