import type { APIGatewayAuthorizerResult, APIGatewayTokenAuthorizerEvent } from 'aws-lambda';
import { Unauthorized } from '../shared/errors.ts';
import { authorizerPolicy } from '../shared/tokens/token-authorizer.ts';
import { checkToken, type FindToken } from './check-token.ts';

/**
 * An API Gateway TOKEN authorizer for access tokens in a DynamoDB table.
 *
 * @throws Unauthorized if the token is invalid; API Gateway then returns 401
 * @throws Error if the token cannot be checked; API Gateway then returns 500
 */
export const authorizeHandler =
  (find: FindToken) =>
  async ({
    authorizationToken,
    methodArn,
  }: APIGatewayTokenAuthorizerEvent): Promise<APIGatewayAuthorizerResult> => {
    const record = await checkToken(authorizationToken, find, Date.now() / 1000);
    if (record === undefined) throw new Unauthorized();
    return authorizerPolicy('Allow', { principalId: record.id, client: record.name }, methodArn);
  };
