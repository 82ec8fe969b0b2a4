import { reasonOf, unsupported } from '../errors.ts';
import { FunctionError, type Invoke } from '../functions/invocation.ts';
import { objectAt, type Properties, stringAt, stringsAt } from '../json.ts';
import { GatewayError } from './gateway-responses.ts';
import type { GatewayRequest } from './parse-request.ts';
import { parsePolicy } from './policy.ts';

/**
 * Returns the authorizer's context for a request that it allows: the value of `requestContext.authorizer` in the event
 * that the integration receives.
 * @throws GatewayError if the authorizer does not allow the request
 */
export type Authorizer = (
  request: Pick<GatewayRequest, 'header' | 'traceId'>,
  methodArn: string,
) => Promise<Readonly<Record<string, string>>>;

/**
 * Creates the function that authorizes requests. It caches each result by token until the TTL expires. The result
 * contains the whole policy, not the decision for one method.
 * @throws UserError if its type or its IdentitySource is not supported
 */
export function createAuthorizer(properties: Properties, invoke: Invoke): Authorizer {
  const type = properties.string('Type');
  if (type !== 'TOKEN') throw unsupported(`${properties.path}: the authorizer type ${type}`);
  const source = properties.string('IdentitySource');
  const [, name] = /^method\.request\.header\.([\w-]+)$/.exec(source) ?? [];
  if (name === undefined) throw unsupported(`${properties.path}: the IdentitySource ${source}`);
  const expression = properties.optionalString('IdentityValidationExpression') ?? '.*';
  // An expression that is valid only in Java, such as `(?i)a`, throws a SyntaxError that contains it.
  const validation = new RegExp(`^(?:${expression})$`);
  const ttlMs = (properties.optionalNumber('AuthorizerResultTtlInSeconds') ?? 300) * 1000;
  const cache = new Map<string, ReturnType<typeof parseResult> & { readonly expires: number }>();

  return async ({ header, traceId }, methodArn) => {
    const token = header(name);
    if (!token || !validation.test(token)) throw new GatewayError('UNAUTHORIZED');
    let result = cache.get(token);
    if (result === undefined || result.expires <= Date.now()) {
      const event = JSON.stringify({ type: 'TOKEN', methodArn, authorizationToken: token });
      const returned = parseResult(await invokeAuthorizer(invoke, event, traceId));
      result = { ...returned, expires: Date.now() + ttlMs };
      cache.set(token, result);
    }
    if (!result.allows(methodArn)) throw new GatewayError('ACCESS_DENIED');
    return result.context;
  };
}

async function invokeAuthorizer(invoke: Invoke, event: string, traceId: string): Promise<Buffer> {
  try {
    return await invoke(event, traceId);
  } catch (error) {
    if (!(error instanceof FunctionError)) throw error;
    if (error.message === 'Unauthorized') throw new GatewayError('UNAUTHORIZED');
    // API Gateway parses the function's error as a result, and rejects the unknown fields.
    throw new GatewayError(
      'AUTHORIZER_CONFIGURATION_ERROR',
      `the authorizer failed: ${error.errorType}`,
    );
  }
}

/** @throws GatewayError AUTHORIZER_CONFIGURATION_ERROR if API Gateway would not accept the result */
function parseResult(json: Buffer) {
  try {
    const result = objectAt(JSON.parse(json.toString()), 'it');
    const { principalId = '', policyDocument, context, ...rest } = result;
    const [unknown] = Object.keys(rest);
    if (unknown !== undefined) throw new TypeError(`it has the unknown field ${unknown}`);
    return {
      allows: parsePolicy(policyDocument),
      context: {
        ...stringsAt(context, 'its context'),
        principalId: stringAt(principalId, 'its principalId'),
      },
    };
  } catch (error) {
    throw new GatewayError(
      'AUTHORIZER_CONFIGURATION_ERROR',
      `the authorizer's result is invalid: ${reasonOf(error)}`,
    );
  }
}
