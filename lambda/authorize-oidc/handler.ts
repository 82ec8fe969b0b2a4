import { Unauthorized } from '../shared/errors.ts';
import {
  type AuthorizeHandler,
  authorizerPolicy,
  bearerToken,
  type Caller,
} from '../shared/tokens/token-authorizer.ts';
import type { Claims, VerifyToken } from './verify-token.ts';

interface OidcHandlerOptions {
  readonly verify: VerifyToken;
  /** The scope that a token must grant, or undefined if any valid token is enough. */
  readonly scope: string | undefined;
}

/**
 * An API Gateway TOKEN authorizer for tokens from an OpenID Connect provider. If a valid token lacks the scope, the
 * authorizer denies the request, and API Gateway returns 403.
 */
export const authorizeOidcHandler =
  ({ verify, scope }: OidcHandlerOptions): AuthorizeHandler =>
  async ({ authorizationToken, methodArn }) => {
    const claims = await verify(bearerToken(authorizationToken));
    if (claims === undefined) throw new Unauthorized();
    const allowed = scope === undefined || hasScope(claims, scope);
    return authorizerPolicy(allowed ? 'Allow' : 'Deny', callerOf(claims), methodArn);
  };

/** Returns the token's subject and client; if the token names no client, the subject serves as the client. */
export function callerOf(claims: Claims): Caller {
  const { sub, client_id, azp } = claims;
  const client = [client_id, azp].find((claim) => typeof claim === 'string') ?? sub;
  return { principalId: sub, client: String(client) };
}

/** Whether a token grants a scope in its claim `scope` (RFC 9068 §2.2.3) or in `scp`, which some providers use. */
export function hasScope(claims: Readonly<Record<string, unknown>>, scope: string): boolean {
  return [claims.scope, claims.scp].some((claim) => grants(claim, scope));
}

function grants(claim: unknown, scope: string): boolean {
  const scopes = typeof claim === 'string' ? claim.split(' ') : claim;
  return Array.isArray(scopes) && scopes.includes(scope);
}
