import { FunctionError, type Invoke } from '../functions/invocation.ts';
import { mismatch, objectAt, stringsAt } from '../json.ts';
import type { Properties } from '../properties.ts';
import { messageOf, UserError, unsupported } from '../user-error.ts';
import { GatewayError } from './gateway-responses.ts';
import { type Policy, parsePolicy } from './policy.ts';
import type { GatewayRequest } from './request.ts';

/** What an authorizer function returned for a token. */
interface AuthorizerResult {
  readonly policy: Policy;
  /** The value of `requestContext.authorizer` in the event that the integration receives. */
  readonly context: Readonly<Record<string, string>>;
}

/**
 * Returns the authorizer's context for a request that it allows.
 * @throws GatewayError if the authorizer does not allow the request
 */
export type Authorize = (
  request: Pick<GatewayRequest, 'header' | 'traceId'>,
  methodArn: string,
) => Promise<AuthorizerResult['context']>;

/** The maximum number of results that an authorizer caches. */
const MAX_CACHED = 1_000;

/**
 * Creates the function that authorizes requests. It caches each result by token until the TTL expires. The result
 * contains the whole policy, not the decision for one method.
 * @throws UserError if the authorizer is not a TOKEN authorizer
 */
export function createAuthorize(properties: Properties, invoke: Invoke): Authorize {
  const type = properties.string('Type');
  if (type !== 'TOKEN') throw unsupported(`${properties.path}: the authorizer type ${type}`);
  const source = properties.string('IdentitySource');
  const [, header] = /^method\.request\.header\.([\w-]+)$/.exec(source) ?? [];
  if (header === undefined) {
    throw new UserError(
      `${properties.path}.IdentitySource must be a request header, got ${source}: write method.request.header.NAME`,
    );
  }
  // The expression must match the whole token.
  const validation = new RegExp(`^(?:${properties.optionalString('IdentityValidationExpression') ?? '.*'})$`);
  const ttlMs = (properties.optionalNumber('AuthorizerResultTtlInSeconds') ?? 300) * 1000;
  const cache = new Map<string, { readonly result: AuthorizerResult; readonly expires: number }>();

  async function resultFor(token: string, methodArn: string, traceId: string): Promise<AuthorizerResult> {
    const cached = cache.get(token);
    if (cached !== undefined && cached.expires > Date.now()) return cached.result;
    const event = { type: 'TOKEN', methodArn, authorizationToken: token };
    const result = parseResult(await invokeAuthorizer(invoke, JSON.stringify(event), traceId));
    cache.delete(token);
    cache.set(token, { result, expires: Date.now() + ttlMs });
    // The oldest results come first in the cache, and expire first.
    for (const [each, { expires }] of cache) {
      if (expires > Date.now() && cache.size <= MAX_CACHED) break;
      cache.delete(each);
    }
    return result;
  }

  return async (request, methodArn) => {
    const token = request.header(header);
    if (!token || !validation.test(token)) throw new GatewayError('UNAUTHORIZED');
    const { policy, context } = await resultFor(token, methodArn, request.traceId);
    if (!policy(methodArn)) throw new GatewayError('ACCESS_DENIED');
    return context;
  };
}

async function invokeAuthorizer(invoke: Invoke, event: string, traceId: string): Promise<Buffer> {
  try {
    return await invoke(event, traceId);
  } catch (error) {
    if (!(error instanceof FunctionError)) throw error;
    if (error.message === 'Unauthorized') throw new GatewayError('UNAUTHORIZED');
    // Except after a timeout, API Gateway parses the function's error as a result, and rejects the unknown fields.
    const type =
      error.errorType === 'Sandbox.Timedout' ? 'AUTHORIZER_FAILURE' : 'AUTHORIZER_CONFIGURATION_ERROR';
    throw new GatewayError(type, `the authorizer failed: ${error.errorType}`);
  }
}

/** @throws GatewayError AUTHORIZER_CONFIGURATION_ERROR if API Gateway would not accept the result */
function parseResult(json: Buffer): AuthorizerResult {
  try {
    const result = objectAt(JSON.parse(json.toString()), 'it');
    const { principalId = '', policyDocument, context, usageIdentifierKey: _key, ...rest } = result;
    const [unknown] = Object.keys(rest);
    if (unknown !== undefined) throw new TypeError(`it has the unknown field ${unknown}`);
    if (typeof principalId !== 'string') throw mismatch('its principalId', 'a string', principalId);
    return {
      policy: parsePolicy(policyDocument),
      context: { ...stringsAt(context, 'its context'), principalId },
    };
  } catch (error) {
    throw new GatewayError(
      'AUTHORIZER_CONFIGURATION_ERROR',
      `the authorizer's result is invalid: ${messageOf(error)}`,
    );
  }
}
