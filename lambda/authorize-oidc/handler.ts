import { Unauthorized } from '../shared/errors.ts';
import {
  type AuthorizeHandler,
  authorizerPolicy,
  bearerToken,
} from '../shared/tokens/token-authorizer.ts';
import { callerOf, hasScope } from './claims.ts';
import type { VerifyToken } from './verify-token.ts';

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
