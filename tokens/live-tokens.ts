import type { TokenRecord } from '../lambda/shared/tokens/token-record.ts';
import { nowSeconds } from './now.ts';
import { OperatorError } from './operator-error.ts';
import type { TokenStore } from './token-store.ts';

/** A name or an id that no live token has: a list of them helps on. */
export class NoSuchTokenError extends OperatorError {}

/** The tokens that work, by name and then by age. DynamoDB deletes expired ones only some time later. */
export async function liveTokens(store: TokenStore): Promise<TokenRecord[]> {
  const now = nowSeconds();
  const live = (await store.all()).filter(({ expiresAt }) => expiresAt === undefined || expiresAt > now);
  return live.sort((a, b) => a.name.localeCompare(b.name) || a.issuedAt - b.issuedAt);
}

/** The live tokens of a client. @throws NoSuchTokenError where there is none */
export async function tokensNamed(store: TokenStore, name: string): Promise<TokenRecord[]> {
  const found = (await liveTokens(store)).filter((token) => token.name === name);
  if (found.length > 0) return found;
  throw new NoSuchTokenError(`no token is called "${name}"`);
}

/** The one live token with a name or an id. @throws OperatorError where there is none or more than one */
export async function tokenCalled(store: TokenStore, nameOrId: string): Promise<TokenRecord> {
  const found = (await liveTokens(store)).filter(({ id, name }) => id === nameOrId || name === nameOrId);
  const [token] = found;
  if (token === undefined) {
    throw new NoSuchTokenError(`no token is called "${nameOrId}" or has that id`);
  }
  if (found.length > 1) {
    const ids = found.map(({ id }) => id).join(', ');
    throw new OperatorError(`"${nameOrId}" has ${found.length} tokens, so say which by its id: ${ids}`);
  }
  return token;
}
