import { timingSafeEqual } from 'node:crypto';
import { parseAccessToken, type TokenRecord } from '../shared/tokens/access-token.ts';
import { bearerToken } from '../shared/tokens/token-authorizer.ts';

/** @returns undefined if the token is unknown. @throws Error if DynamoDB failed */
export type FindToken = (id: string) => Promise<TokenRecord | undefined>;

/** No secret has this hash. A token with an unknown id is compared with it, and fails like one with a wrong secret. */
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
  // DynamoDB may keep an expired item for days.
  const alive = record?.expiresAt === undefined || record.expiresAt > nowSeconds;
  return rightSecret && alive ? record : undefined;
}
