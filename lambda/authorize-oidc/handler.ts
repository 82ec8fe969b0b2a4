import type { APIGatewayAuthorizerResult, APIGatewayTokenAuthorizerEvent } from 'aws-lambda';
import { Unauthorized } from '../shared/errors.ts';
import { authorizerPolicy, bearerToken, type Caller } from '../shared/tokens/token-authorizer.ts';
import type { Claims, VerifyToken } from './verify-token.ts';

export interface OidcHandlerOptions {
  readonly verify: VerifyToken;
  /** The scope that a token must grant, or undefined if any valid token is enough. */
  readonly scope: string | undefined;
}

/**
 * A TOKEN authorizer of API Gateway for the tokens of an OpenID Connect provider. Denies a valid token without
 * the scope, for which API Gateway returns 403.
 *
 * @throws Unauthorized if the token is invalid; anything else, for which API Gateway returns 500, if it could
 *   not be checked
 */
export const createHandler =
  ({ verify, scope }: OidcHandlerOptions) =>
  async ({
    authorizationToken,
    methodArn,
  }: APIGatewayTokenAuthorizerEvent): Promise<APIGatewayAuthorizerResult> => {
    const claims = await verify(bearerToken(authorizationToken));
    if (claims === undefined) throw new Unauthorized();
    const allowed = scope === undefined || hasScope(claims, scope);
    return authorizerPolicy(allowed ? 'Allow' : 'Deny', callerOf(claims), methodArn);
  };

/** The caller in a token's claims: its subject, and the client that it was issued to, if there is one. */
export function callerOf(claims: Claims): Caller {
  const { sub, client_id, azp } = claims;
  const client = [client_id, azp].find((claim) => typeof claim === 'string') ?? sub;
  return { principalId: loggable(sub), client: loggable(String(client)) };
}

/** API Gateway writes both into its access log unescaped: a quote would break out of the JSON there. */
function loggable(value: string): string {
  return value.replace(/[^\x20-\x7e]|["\\]/g, '?');
}

/** Whether a token's claims grant a scope: in `scope` (RFC 9068 §2.2.3), or in `scp`, as some providers have it. */
export function hasScope(claims: Readonly<Record<string, unknown>>, scope: string): boolean {
  return [claims.scope, claims.scp].some((claim) => grants(claim, scope));
}

function grants(claim: unknown, scope: string): boolean {
  const scopes = typeof claim === 'string' ? claim.split(' ') : claim;
  return Array.isArray(scopes) && scopes.includes(scope);
}
