import { EmulatorError, unsupported } from '../emulator-error.ts';
import { FunctionError, type Invoke } from '../functions/invocation.ts';
import { numberOf, required, textOf } from '../json.ts';
import type { Resolver } from '../template/intrinsics.ts';
import type { Resource } from '../template/template.ts';
import { type AuthorizerResult, parseAuthorizerResult } from './authorizer-result.ts';
import { GatewayError } from './gateway-response-types.ts';
import { allows } from './policy.ts';
import type { GatewayRequest } from './request.ts';

export interface Authorizer {
  readonly uri: string;
  /** The header that carries the token. */
  readonly header: string;
  /** What the whole token must match before the function is asked. */
  readonly validation: RegExp | undefined;
  readonly ttlMs: number;
}

/** @returns the context for the function behind. @throws GatewayError */
export type Authorize = (
  request: GatewayRequest,
  methodArn: string,
) => Promise<Readonly<Record<string, string>>>;

/** Enough for a laptop; beyond it the oldest entry goes. */
const MAX_CACHED = 10_000;

export function parseAuthorizer(resource: Resource, resolver: Resolver): Authorizer {
  const at = (name: string) => `${resource.logicalId}.${name}`;
  const text = (name: string) => textOf(resolver.property(resource, name), at(name));
  if (text('Type') !== 'TOKEN') {
    throw unsupported(
      `${resource.logicalId}: the emulator knows TOKEN authorizers only, not ${text('Type')}`,
      'emulator/rest-api/authorizer.ts',
    );
  }
  const source = required(text('IdentitySource'), at('IdentitySource'));
  const header = /^method\.request\.header\.([\w-]+)$/.exec(source)?.[1];
  if (header === undefined)
    throw new EmulatorError(
      `${at('IdentitySource')}: ${source} is no request header: name one as method.request.header.NAME`,
    );
  const expression = text('IdentityValidationExpression');
  const ttl = numberOf(
    resolver.property(resource, 'AuthorizerResultTtlInSeconds'),
    at('AuthorizerResultTtlInSeconds'),
  );
  return {
    uri: required(text('AuthorizerUri'), at('AuthorizerUri')),
    header,
    validation: expression === undefined ? undefined : wholeMatch(expression),
    ttlMs: (ttl ?? 300) * 1000,
  };
}

/** A Java regular expression as API Gateway applies it: to the whole token. */
function wholeMatch(expression: string): RegExp {
  const ecmaScript = expression.replace(/^\(\?([ims]+)\)(.*)/s, '(?$1:$2)');
  return new RegExp(`^(?:${ecmaScript})$`);
}

export function createAuthorize({ header, validation, ttlMs }: Authorizer, invoke: Invoke): Authorize {
  const cache = new Map<string, { readonly result: AuthorizerResult; readonly expires: number }>();

  async function resultFor(
    token: string,
    methodArn: string,
    request: GatewayRequest,
  ): Promise<AuthorizerResult> {
    const cached = cache.get(token);
    if (cached !== undefined && cached.expires > Date.now()) return cached.result;
    const event = { type: 'TOKEN', methodArn, authorizationToken: token };
    const result = parseAuthorizerResult(await ask(invoke, JSON.stringify(event), request.traceId));
    cache.delete(token);
    cache.set(token, { result, expires: Date.now() + ttlMs });
    for (const oldest of cache.keys()) {
      if (cache.size <= MAX_CACHED) break;
      cache.delete(oldest);
    }
    return result;
  }

  return async (request, methodArn) => {
    const token = request.header(header);
    if (!token || validation?.test(token) === false) throw new GatewayError('UNAUTHORIZED');
    const { policy, context } = await resultFor(token, methodArn, request);
    if (!allows(policy, methodArn)) throw new GatewayError('ACCESS_DENIED');
    return context;
  };
}

async function ask(invoke: Invoke, event: string, traceId: string): Promise<Buffer> {
  try {
    return await invoke(event, traceId);
  } catch (error) {
    if (!(error instanceof FunctionError)) throw error;
    if (error.message === 'Unauthorized') throw new GatewayError('UNAUTHORIZED');
    throw new GatewayError('AUTHORIZER_FAILURE', `the authorizer failed: ${error.errorType}`);
  }
}
