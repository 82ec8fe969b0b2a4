import { isObject, objectOf, parseJson } from '../json.ts';
import { GatewayError } from './gateway-response-types.ts';
import { type Policy, parsePolicy } from './policy.ts';

/** What an authorizer found out about a token. */
export interface AuthorizerResult {
  readonly policy: Policy;
  /** What the function behind it gets as `requestContext.authorizer`. */
  readonly context: Readonly<Record<string, string>>;
}

/** @throws GatewayError AUTHORIZER_CONFIGURATION_ERROR for an answer that API Gateway wouldn't take */
export function parseAuthorizerResult(result: Buffer): AuthorizerResult {
  try {
    const answer = parseJson(result.toString());
    if (!isObject(answer)) throw new TypeError('it is no object');
    const { principalId, policyDocument, context } = answer;
    if (typeof principalId !== 'string' || principalId === '') throw new TypeError('it has no principalId');
    const entries = Object.entries(objectOf(context ?? undefined, 'its context'));
    for (const [key, value] of entries) {
      if (typeof value === 'object')
        throw new TypeError(`its context has no string, number or boolean as ${key}`);
    }
    return {
      policy: parsePolicy(policyDocument),
      context: Object.fromEntries([
        ...entries.map(([key, value]) => [key, String(value)]),
        ['principalId', principalId],
      ]),
    };
  } catch (error) {
    throw new GatewayError(
      'AUTHORIZER_CONFIGURATION_ERROR',
      `the authorizer's answer can't be used: ${String(error)}`,
    );
  }
}
