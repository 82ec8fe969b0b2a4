import type { IncomingMessage, ServerResponse } from 'node:http';
import { FunctionError } from '../functions/invocation.ts';
import { GatewayError } from './gateway-error.ts';
import { gatewayResponse } from './gateway-responses.ts';
import { eventBody, parseProxyResult, proxyEvent } from './proxy-integration.ts';
import { type GatewayRequest, parseRequest, readBody } from './request.ts';
import { type HttpResponse, send } from './response.ts';
import type { Endpoint, RestApi } from './rest-api.ts';
import type { Match, Route } from './routes.ts';

/** Lambda's limit on the payload of an invocation. */
const MAX_EVENT_BYTES = 6 * 1024 * 1024;

/** Responds to a request that no route of the API matches; undefined leaves it to API Gateway. */
export type Fallback = (request: GatewayRequest) => Promise<HttpResponse | undefined>;

/** Responds to every request: with the function's response or with a gateway response. */
export function createHandler(api: RestApi, log: (line: string) => void, fallback?: Fallback) {
  return async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    // A client that closes the connection gets no response.
    incoming.on('error', () => {});
    response.on('error', () => {});
    const request = parseRequest(incoming, api.stage);
    const result = await respond(api, request, incoming, fallback).catch((reason: unknown) => {
      const error =
        reason instanceof GatewayError ? reason : new GatewayError('API_CONFIGURATION_ERROR', String(reason));
      if (error.message !== error.type && !incoming.destroyed) log(`${request.requestId} ${error.message}`);
      return gatewayResponse(error.type, api.responses, request);
    });
    const headers = [...result.headers, ['x-amzn-RequestId', request.requestId] as const];
    send(incoming, response, { ...result, headers });
  };
}

async function respond(
  api: RestApi,
  request: GatewayRequest,
  incoming: IncomingMessage,
  fallback: Fallback | undefined,
): Promise<HttpResponse> {
  const match = api.router(request.method, request.path);
  const endpoint = match && api.endpoints.get(match.route);
  if (match === undefined || endpoint === undefined) {
    const response = await fallback?.(request);
    if (response !== undefined) return response;
    throw new GatewayError('MISSING_AUTHENTICATION_TOKEN');
  }
  if (!endpoint.throttle()) throw new GatewayError('THROTTLED');
  const authorizer = await endpoint.authorize?.(request, methodArn(api, request));
  const body = eventBody(await readBody(incoming), api.isBinary(request.header('content-type')));
  const event = proxyEvent(request, match, body, api.account, authorizer);
  if (Buffer.byteLength(event) > MAX_EVENT_BYTES) throw new GatewayError('REQUEST_TOO_LARGE');
  return parseProxyResult(await integrate(endpoint, match, event, request.traceId));
}

/** `arn:aws:execute-api:{region}:{account}:{api}/{stage}/POST/plants` */
function methodArn({ region, account, stage }: RestApi, { method, path }: GatewayRequest): string {
  const resource = path.replace(/\/$/, '') || '/';
  return `arn:aws:execute-api:${region}:${account}:${stage.apiId}/${stage.stage}/${method}${resource}`;
}

function integrate(endpoint: Endpoint, { route }: Match, event: string, traceId: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const timeout = () =>
      reject(new GatewayError('INTEGRATION_TIMEOUT', `${nameOf(route)} took over ${route.timeoutMs} ms`));
    const timer = setTimeout(timeout, route.timeoutMs);
    endpoint
      .invoke(event, traceId)
      .then(resolve, (error: unknown) => {
        if (!(error instanceof FunctionError)) return reject(error);
        reject(new GatewayError('INTEGRATION_FAILURE', `${nameOf(route)} failed: ${error.errorType}`));
      })
      .finally(() => clearTimeout(timer));
  });
}

function nameOf({ method, resourcePath }: Route): string {
  return `${method} ${resourcePath}`;
}
