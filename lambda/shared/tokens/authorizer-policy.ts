import type { APIGatewayAuthorizerResult } from 'aws-lambda';

/** The sender of a request, which the authorizer passes to API Gateway, its logs and the function. */
export interface Caller {
  /** Names the caller's credentials without being a secret: the token's public id, or an OIDC subject. */
  readonly principalId: string;
  /** The holder of these credentials, as the operator or the identity provider named it. */
  readonly client: string;
}

/**
 * Allows, or denies, every operation of the API stage that is called. API Gateway caches the policy per token
 * and applies it to the next request, to whatever method: so it cannot name one method, and must not be `*`.
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
