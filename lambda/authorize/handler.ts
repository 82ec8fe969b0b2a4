import type { APIGatewayAuthorizerResult, APIGatewayTokenAuthorizerEvent } from 'aws-lambda';
import { allow } from './allow.ts';
import { checkToken, type FindToken } from './check-token.ts';

/**
 * A TOKEN authorizer of API Gateway.
 *
 * @throws `Unauthorized`, which API Gateway answers with 401, where the token is refused; anything else,
 * which it answers with 500, where the token could not be checked
 */
export const createHandler =
  (find: FindToken) =>
  async ({
    authorizationToken,
    methodArn,
  }: APIGatewayTokenAuthorizerEvent): Promise<APIGatewayAuthorizerResult> => {
    const record = await checkToken(authorizationToken, find, Date.now() / 1000);
    if (record === undefined) throw new Error('Unauthorized');
    return allow(record.id, methodArn, { client: record.name });
  };
