import type { APIGatewayAuthorizerResult, APIGatewayTokenAuthorizerEvent } from 'aws-lambda';
import { Unauthorized } from '../shared/errors.ts';
import { authorizerPolicy } from '../shared/tokens/authorizer-policy.ts';
import { bearerToken } from '../shared/tokens/bearer-token.ts';
import { callerOf, hasScope } from './claims.ts';
import type { VerifyToken } from './verify-token.ts';

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
