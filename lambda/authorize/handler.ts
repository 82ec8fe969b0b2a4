import type { APIGatewayAuthorizerResult, APIGatewayTokenAuthorizerEvent } from 'aws-lambda';
import { authorizerPolicy } from '../shared/tokens/authorizer-policy.ts';
import { Unauthorized } from '../shared/tokens/unauthorized.ts';
import { checkToken, type FindToken } from './check-token.ts';

/**
 * A TOKEN authorizer of API Gateway.
 *
 * @throws Unauthorized where the token is refused; anything else, which API Gateway answers with 500, where it
 * could not be checked
 */
export const createHandler =
  (find: FindToken) =>
  async ({
    authorizationToken,
    methodArn,
  }: APIGatewayTokenAuthorizerEvent): Promise<APIGatewayAuthorizerResult> => {
    const record = await checkToken(authorizationToken, find, Date.now() / 1000);
    if (record === undefined) throw new Unauthorized();
    return authorizerPolicy('Allow', { principalId: record.id, client: record.name }, methodArn);
  };
