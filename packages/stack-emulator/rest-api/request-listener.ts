import type { IncomingMessage, ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { debuggableTimeout } from '../debugger.ts';
import { FunctionError, type Log } from '../functions/invocation.ts';
import { ACCOUNT, REGION } from '../template/intrinsics.ts';
import { receiveBody } from './aws-front-end.ts';
import { GatewayError } from './gateway-responses.ts';
import { type GatewayRequest, parseRequest } from './parse-request.ts';
import { proxyEvent } from './proxy-event.ts';
import { parseProxyResult } from './proxy-result.ts';
import { type HttpResponse, send } from './response.ts';
import type { RestApi } from './rest-api.ts';
import type { Route } from './router.ts';

/** Lambda's limit on the payload of an invocation. */
const MAX_EVENT_BYTES = 6_291_556;

/** Responds to a request that no route of the API matches, or returns undefined to let API Gateway respond. */
export type Fallback = (
  request: Pick<GatewayRequest, 'method' | 'path' | 'header' | 'sourceIp'>,
) => Promise<HttpResponse | undefined>;

export interface RequestObserver {
  /** Called when a request has arrived, unless AWS's front end rejects it. `responded` is called afterward. */
  received(traceId: string): void;
  responded(exchange: Exchange): void;
}

/** A request, and the response to it. */
export interface Exchange extends HttpResponse {
  readonly method: string;
  /** The path, without the query string. */
  readonly path: string;
  readonly milliseconds: number;
  /** Undefined if AWS's front end rejected the request. */
  readonly traceId: string | undefined;
  /** The authorizer's context; undefined if no authorizer allowed the request. */
  readonly context: Readonly<Record<string, string>> | undefined;
}

export interface ListenerOptions {
  /** Receives API Gateway's log lines about failures. */
  readonly log: Log;
  readonly observer?: RequestObserver | undefined;
  readonly fallback?: Fallback | undefined;
}

/**
 * Creates a listener that responds to requests with the function's result, a gateway response, or an error from AWS's
 * front end.
 * @param currentApi called once for each request, after the body has arrived
 */
export function requestListener(currentApi: () => Promise<RestApi>, options: ListenerOptions) {
  const { log, observer } = options;
  return async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    // If the client closes the connection, there is nobody to respond to.
    incoming.on('error', () => {});
    outgoing.on('error', () => {});
    const startedAt = performance.now();
    const arrived = parseRequest(incoming);
    const sendAndReport = ({ response, context }: Handled, traceId?: string) => {
      send(incoming, outgoing, response);
      observer?.responded({
        method: arrived.method,
        path: arrived.path,
        ...response,
        milliseconds: performance.now() - startedAt,
        traceId,
        context,
      });
    };
    try {
      const body = await receiveBody(incoming);
      if (!Buffer.isBuffer(body)) return sendAndReport({ response: body });
      const { requestId, traceId } = arrived;
      observer?.received(traceId);
      const api = await currentApi();
      const { response, context, reason } = await handle(api, { ...arrived, body }, options);
      if (reason !== undefined && !outgoing.destroyed) log(reason, traceId);
      const headers = [...response.headers, ['x-amzn-RequestId', requestId] as const];
      sendAndReport({ response: { ...response, headers }, context }, traceId);
    } catch (error) {
      if (!incoming.destroyed) throw error;
    }
  };
}

interface Handled {
  readonly response: HttpResponse;
  readonly context?: Exchange['context'];
  /** For the log. */
  readonly reason?: string | undefined;
}

/** Returns the response, and the context of the authorizer that allowed the request, even if it then fails. */
async function handle(
  api: RestApi,
  request: GatewayRequest,
  { fallback }: ListenerOptions,
): Promise<Handled> {
  let context: Handled['context'];
  try {
    const match = api.findRoute(request.method, request.path);
    if (match === undefined) {
      const response = await fallback?.(request);
      if (response !== undefined) return { response };
      // If no route matches, API Gateway treats the Authorization header as an AWS signature.
      throw new GatewayError(
        request.header('authorization') ? 'INVALID_SIGNATURE' : 'MISSING_AUTHENTICATION_TOKEN',
      );
    }
    const { route } = match;
    context = await route.authorize?.(request, methodArn(api, request));
    const event = proxyEvent(request, api, match, context);
    if (Buffer.byteLength(event) > MAX_EVENT_BYTES) throw new GatewayError('REQUEST_TOO_LARGE');
    const returned = await invokeInTime(route, event, request.traceId);
    return { response: parseProxyResult(returned), context };
  } catch (error) {
    const { type, reason } =
      error instanceof GatewayError
        ? error
        : new GatewayError('API_CONFIGURATION_ERROR', inspect(error));
    return { response: api.gatewayResponse(type), context, reason };
  }
}

/** Returns the request's ARN, not the route's: `arn:aws:execute-api:{region}:{account}:{api}/{stage}/GET/plants/1` */
function methodArn({ apiId, stage }: RestApi, { method, path }: GatewayRequest): string {
  return `arn:aws:execute-api:${REGION}:${ACCOUNT}:${apiId}/${stage}/${method}${path}`;
}

async function invokeInTime(route: Route, event: string, traceId: string): Promise<Buffer> {
  const name = `${route.method} ${route.path}`;
  const timeoutMs = debuggableTimeout(route.timeoutMs);
  const timeout = Promise.withResolvers<never>();
  const timedOut = () =>
    timeout.reject(
      new GatewayError('INTEGRATION_TIMEOUT', `${name} took longer than ${timeoutMs} ms`),
    );
  const timer = setTimeout(timedOut, timeoutMs);
  try {
    return await Promise.race([route.invoke(event, traceId), timeout.promise]);
  } catch (error) {
    if (!(error instanceof FunctionError)) throw error;
    throw new GatewayError('INTEGRATION_FAILURE', `${name} failed: ${error.errorType}`);
  } finally {
    clearTimeout(timer);
  }
}
