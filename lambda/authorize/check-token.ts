import { timingSafeEqual } from 'node:crypto';
import { parseAccessToken, type TokenRecord } from '../shared/tokens/access-token.ts';
import { bearerToken } from '../shared/tokens/token-authorizer.ts';

/** Returns the record of a token, or undefined if its id is unknown. @throws Error if DynamoDB fails. */
export type FindToken = (id: string) => Promise<TokenRecord | undefined>;

/** No secret has this hash. A token with an unknown id is compared with this hash, so the check always fails. */
const NO_HASH = '0'.repeat(64);

/**
 * Checks the access token in an Authorization header.
 *
 * @returns the token's record, or undefined if the token is malformed, unknown or expired, or has the wrong secret
 */
export async function checkToken(
  authorization: string,
  find: FindToken,
  nowSeconds: number,
): Promise<TokenRecord | undefined> {
  const token = parseAccessToken(bearerToken(authorization));
  if (token === undefined) return undefined;

  const record = await find(token.id);
  const rightSecret = timingSafeEqual(
    Buffer.from(token.hash),
    Buffer.from(record?.hash ?? NO_HASH),
  );
  // DynamoDB may take days to delete an expired item.
  const alive = record?.expiresAt === undefined || record.expiresAt > nowSeconds;
  return rightSecret && alive ? record : undefined;
}
