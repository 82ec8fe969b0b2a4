import type { APIGatewayAuthorizerResult } from 'aws-lambda';

/**
 * Allows every operation of the API stage that is being called. API Gateway keeps the answer per token and
 * uses it for the next request, whatever that calls: so it can't name the one method, and mustn't be `*`.
 *
 * @param methodArn `arn:aws:execute-api:{region}:{account}:{api}/{stage}/{method}/{path}`
 */
export function allow(
  principalId: string,
  methodArn: string,
  context: Record<string, string>,
): APIGatewayAuthorizerResult {
  const [api, stage] = methodArn.split('/');
  return {
    principalId,
    policyDocument: {
      Version: '2012-10-17',
      Statement: [{ Effect: 'Allow', Action: 'execute-api:Invoke', Resource: `${api}/${stage}/*` }],
    },
    context,
  };
}
