import type { APIGatewayAuthorizerResult, APIGatewayTokenAuthorizerEvent } from 'aws-lambda';
import { authorizerPolicy } from '../shared/tokens/authorizer-policy.ts';
import { bearerToken } from '../shared/tokens/bearer-token.ts';
import { Unauthorized } from '../shared/tokens/unauthorized.ts';
import { callerOf } from './caller.ts';
import { hasScope } from './has-scope.ts';
import type { VerifyToken } from './verify-token.ts';

export interface OidcHandlerOptions {
  readonly verify: VerifyToken;
  /** The scope that a token must grant; where there is none, any token will do. */
  readonly scope: string | undefined;
}

/**
 * A TOKEN authorizer of API Gateway for the tokens of an OpenID Connect provider. A good token without the
 * scope is denied, which API Gateway answers with 403.
 *
 * @throws Unauthorized where the token is refused; anything else, which API Gateway answers with 500, where it
 * could not be checked
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
