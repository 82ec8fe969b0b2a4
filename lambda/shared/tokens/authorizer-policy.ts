import type { APIGatewayAuthorizerResult } from 'aws-lambda';

/** Who sends a request, as an authorizer tells API Gateway and, through it, the logs and the function behind. */
export interface Caller {
  /** Names the caller's credentials without being a secret: the token's public id, or an OIDC subject. */
  readonly principalId: string;
  /** Who has these credentials, in words of the operator or of the identity provider. */
  readonly client: string;
}

/**
 * AllowedRequests, or denies, every operation of the API stage that is being called. API Gateway keeps the answer per
 * token and uses it for the next request, whatever that calls: so it can't name the one method, and mustn't
 * be `*`.
 *
 * @param methodArn `arn:aws:execute-api:{region}:{account}:{api}/{stage}/{method}/{path}`
 */
export function authorizerPolicy(
  effect: 'Allow' | 'Deny',
  { principalId, client }: Caller,
  methodArn: string,
): APIGatewayAuthorizerResult {
  const [api, stage] = methodArn.split('/');
  return {
    principalId,
    policyDocument: {
      Version: '2012-10-17',
      Statement: [{ Effect: effect, Action: 'execute-api:Invoke', Resource: `${api}/${stage}/*` }],
    },
    context: { client },
  };
}
