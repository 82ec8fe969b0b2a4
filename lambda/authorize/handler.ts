import type { APIGatewayAuthorizerResult, APIGatewayTokenAuthorizerEvent } from 'aws-lambda';
import { Unauthorized } from '../shared/errors.ts';
import { authorizerPolicy } from '../shared/tokens/token-authorizer.ts';
import { checkToken, type FindToken } from './check-token.ts';

/**
 * A TOKEN authorizer of API Gateway.
 *
 * @throws Unauthorized if the token is invalid; anything else, for which API Gateway returns 500, if it could
 *   not be checked
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
