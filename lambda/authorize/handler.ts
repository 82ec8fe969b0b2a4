import { Unauthorized } from '../shared/errors.ts';
import { type AuthorizeHandler, authorizerPolicy } from '../shared/tokens/token-authorizer.ts';
import { checkToken, type FindToken } from './check-token.ts';

/** An API Gateway TOKEN authorizer for access tokens in a DynamoDB table. */
export const authorizeHandler =
  (find: FindToken): AuthorizeHandler =>
  async ({ authorizationToken, methodArn }) => {
    const record = await checkToken(authorizationToken, find, Date.now() / 1000);
    if (record === undefined) throw new Unauthorized();
    return authorizerPolicy('Allow', { principalId: record.id, client: record.client }, methodArn);
  };
