import type { APIGatewayAuthorizerResult } from 'aws-lambda';

/**
 * Matches `Bearer` in any case (RFC 9110 §11.1), without a regex flag, because API Gateway uses the same pattern in
 * Java.
 */
const SCHEME = '[Bb][Ee][Aa][Rr][Ee][Rr]';

/** `Bearer` and a token in RFC 6750's alphabet (§2.1). */
const HEADER = new RegExp(`^${SCHEME} +([A-Za-z0-9._~+/-]+=*)$`);

/** Matches the Authorization headers that API Gateway passes to an authorizer: those with a token of this pattern. */
export function validationExpression(tokenPattern: string): string {
  return `^${SCHEME} +${tokenPattern}$`;
}

/** @returns the token in an Authorization header, or an empty string, which no authorizer accepts */
export function bearerToken(authorization: string): string {
  return HEADER.exec(authorization)?.[1] ?? '';
}

/** The sender of a request, which the authorizer passes to API Gateway, its logs and the function. */
export interface Caller {
  /** Identifies the caller's credentials, but is not secret: the token's public id, or an OIDC subject. */
  readonly principalId: string;
  /** The name of the holder, from the operator or the identity provider. */
  readonly client: string;
}

/**
 * A policy that allows or denies every operation of an API stage. API Gateway caches it for the token and applies it
 * to later requests, so it must not name one method. `*` would allow other APIs too.
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
