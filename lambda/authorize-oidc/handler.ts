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
 * An API Gateway TOKEN authorizer for the tokens of an OpenID Connect provider. It denies a valid token that lacks
 * the scope: API Gateway returns 403.
 *
 * @throws Unauthorized if the token is invalid: API Gateway returns 401
 * @throws Error if the token cannot be checked: API Gateway returns 500
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

/** @returns the token's subject and client; if the token names no client, the subject is also the client */
export function callerOf(claims: Claims): Caller {
  const { sub, client_id, azp } = claims;
  const client = [client_id, azp].find((claim) => typeof claim === 'string') ?? sub;
  return { principalId: loggable(sub), client: loggable(String(client)) };
}

/** API Gateway does not escape values in its access log: a quote would end the JSON string there. */
function loggable(value: string): string {
  return value.replace(/[^\x20-\x7e]|["\\]/g, '?');
}

/** Whether a token's claims grant a scope in `scope` (RFC 9068 §2.2.3), or in `scp`, which some providers use. */
export function hasScope(claims: Readonly<Record<string, unknown>>, scope: string): boolean {
  return [claims.scope, claims.scp].some((claim) => grants(claim, scope));
}

function grants(claim: unknown, scope: string): boolean {
  const scopes = typeof claim === 'string' ? claim.split(' ') : claim;
  return Array.isArray(scopes) && scopes.includes(scope);
}
