import { timingSafeEqual } from 'node:crypto';
import { parseAccessToken, type TokenRecord } from '../shared/tokens/access-token.ts';
import { bearerToken } from '../shared/tokens/token-authorizer.ts';

/** @throws Error if DynamoDB failed, so that the token is neither valid nor invalid */
export type FindToken = (id: string) => Promise<TokenRecord | undefined>;

/** No secret has this hash, so a token with an unknown id is compared and rejected like any other. */
const NO_HASH = '0'.repeat(64);

/**
 * Checks an Authorization header for an access token.
 *
 * @returns the record of the token, or undefined if it is malformed, unknown, wrong or expired
 */
export async function checkToken(
  authorization: string,
  find: FindToken,
  nowSeconds: number,
): Promise<TokenRecord | undefined> {
  const token = parseAccessToken(bearerToken(authorization));
  if (token === undefined) return undefined;

  const record = await find(token.id);
  const rightSecret = timingSafeEqual(Buffer.from(token.hash), Buffer.from(record?.hash ?? NO_HASH));
  // DynamoDB deletes an expired item only some time later.
  const alive = record?.expiresAt === undefined || record.expiresAt > nowSeconds;
  return rightSecret && alive ? record : undefined;
}
