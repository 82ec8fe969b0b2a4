import type { IncomingMessage, ServerResponse } from 'node:http';
import type { DocsPage } from '../docs-page/docs-page.ts';
import { FunctionError } from '../functions/invocation.ts';
import { GatewayError } from './gateway-response-types.ts';
import { gatewayResponse } from './gateway-responses.ts';
import { eventBody, proxyEvent } from './proxy-event.ts';
import { parseProxyResult } from './proxy-result.ts';
import { type GatewayRequest, parseRequest } from './request.ts';
import { readBody } from './request-body.ts';
import { type HttpResponse, send } from './response.ts';
import type { Endpoint, RestApi } from './rest-api.ts';
import type { Match, Route } from './routes.ts';

/** Lambda's limit on the payload of an invocation. */
const MAX_EVENT_BYTES = 6 * 1024 * 1024;

/** Answers every request, whatever happens: with the function's answer or with a gateway response. */
export function createHandler(api: RestApi, log: (line: string) => void, docsPage?: DocsPage) {
  return async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    // A client that goes away needs no answer.
    incoming.on('error', () => {});
    response.on('error', () => {});
    const request = parseRequest(incoming, api.stage);
    const answer = await respond(api, request, incoming, response, docsPage).catch((error: unknown) => {
      const refusal =
        error instanceof GatewayError ? error : new GatewayError('API_CONFIGURATION_ERROR', String(error));
      if (refusal.message !== refusal.type && !incoming.destroyed)
        log(`${request.requestId} ${refusal.message}`);
      return gatewayResponse(refusal.type, api.responses, request);
    });
    const headers = [...answer.headers, ['x-amzn-RequestId', request.requestId] as const];
    send(incoming, response, { ...answer, headers });
  };
}

async function respond(
  api: RestApi,
  request: GatewayRequest,
  incoming: IncomingMessage,
  response: ServerResponse,
  docsPage: DocsPage | undefined,
): Promise<HttpResponse> {
  if (!hasItsHost(incoming, request)) throw new GatewayError('BAD_REQUEST');
  const match = api.router(request.method, request.path);
  const endpoint = match && api.endpoints.get(match.route);
  if (match === undefined || endpoint === undefined) {
    const page = await docsPage?.(request);
    if (page !== undefined) return page;
    throw new GatewayError('MISSING_AUTHENTICATION_TOKEN');
  }
  if (!endpoint.throttle()) throw new GatewayError('THROTTLED');
  const authorizer = await endpoint.authorize?.(request, methodArn(api, request));
  const body = eventBody(await readBody(incoming, response), api.isBinary(request.header('content-type')));
  const event = proxyEvent(request, match, body, api.account, authorizer);
  if (Buffer.byteLength(event) > MAX_EVENT_BYTES) throw new GatewayError('REQUEST_TOO_LARGE');
  return parseProxyResult(await integrate(endpoint, match, event, request.traceId));
}

/** HTTP/1.1 wants exactly one Host header (RFC 9112, 3.2). */
function hasItsHost({ httpVersion }: IncomingMessage, { headers }: GatewayRequest): boolean {
  const hosts = headers.filter(([name]) => name.toLowerCase() === 'host').length;
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
}

/** `arn:aws:execute-api:{region}:{account}:{api}/{stage}/POST/plants` */
function methodArn({ region, account, stage }: RestApi, { method, path }: GatewayRequest): string {
  const target = path.replace(/\/$/, '') || '/';
  return `arn:aws:execute-api:${region}:${account}:${stage.apiId}/${stage.stage}/${method}${target}`;
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
