import type { APIGatewayAuthorizerResult, APIGatewayTokenAuthorizerEvent } from 'aws-lambda';

/**
 * Matches `Bearer` in any case (RFC 9110 §11.1). A regex flag is not possible, because API Gateway evaluates the same
 * pattern as a Java regex.
 */
const SCHEME = '[Bb][Ee][Aa][Rr][Ee][Rr]';

/** `Bearer` and a token in RFC 6750's alphabet (§2.1). */
const HEADER = new RegExp(`^${SCHEME} +([A-Za-z0-9._~+/-]+=*)$`);

/** Returns a regex for Authorization headers whose token matches `tokenPattern`; API Gateway rejects all others. */
export function validationExpression(tokenPattern: string): string {
  return `^${SCHEME} +${tokenPattern}$`;
}

/** Returns the token in an Authorization header, or an empty string, which no authorizer accepts. */
export function bearerToken(authorization: string): string {
  return HEADER.exec(authorization)?.[1] ?? '';
}

/**
 * The handler of an API Gateway TOKEN authorizer.
 *
 * @throws Unauthorized if the token is invalid; API Gateway then returns 401
 * @throws Error if the token cannot be checked; API Gateway then returns 500
 */
export type AuthorizeHandler = (
  event: APIGatewayTokenAuthorizerEvent,
) => Promise<APIGatewayAuthorizerResult>;

/** Who sent a request. The authorizer passes this to API Gateway, which writes it to the log and to the event. */
export interface Caller {
  /** Identifies the caller's credentials, but is not secret: the token's public id, or an OIDC subject. */
  readonly principalId: string;
  /** The caller's name, which the operator or the identity provider has chosen. */
  readonly client: string;
}

/**
 * A policy that allows or denies every operation of an API stage. API Gateway caches the policy for the token and
 * applies it to later requests, so it must not be limited to one method. The resource `*` would include other APIs.
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
    principalId: loggable(principalId),
    policyDocument: {
      Version: '2012-10-17',
      Statement: [{ Effect: effect, Action: 'execute-api:Invoke', Resource: `${api}/${stage}/*` }],
    },
    context: { client: loggable(client) },
  };
}

/** API Gateway does not escape the values in its access log, so a quote in a value would end the JSON string early. */
function loggable(value: string): string {
  return value.replace(/[^\x20-\x7e]|["\\]/g, '?');
}
