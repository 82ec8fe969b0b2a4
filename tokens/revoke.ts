import type { TokenRecord } from '../lambda/token-record.ts';
import { tokenCalled } from './live-tokens.ts';
import type { TokenStore } from './token-store.ts';

/**
 * Takes the token with a name or an id back: a revoked token is one that was never issued.
 *
 * @throws OperatorError where there is none, or more than one
 */
export async function revoke(store: TokenStore, nameOrId: string): Promise<TokenRecord> {
  const token = await tokenCalled(store, nameOrId);
  await store.remove(token.id);
  return token;
}
