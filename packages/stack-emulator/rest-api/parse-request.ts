import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export interface GatewayRequest {
  readonly requestId: string;
  /** In X-Ray's format: `Root=1-…`. */
  readonly traceId: string;
  readonly timeEpoch: number;
  readonly method: string;
  /** The path, without the query string. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The header names have the capitalization that the client used. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Returns the value of the last header with the given name, ignoring case. */
  readonly header: (name: string) => string | undefined;
  readonly body: Buffer;
  readonly sourceIp: string;
}

export function parseRequest(request: IncomingMessage): Omit<GatewayRequest, 'body'> {
  const [path = '/', ...query] = (request.url ?? '/').split('?');
  const { rawHeaders } = request;
  const headers = Array.from({ length: rawHeaders.length / 2 }, (_, index): [string, string] => [
    rawHeaders[2 * index] ?? '',
    rawHeaders[2 * index + 1] ?? '',
  ]);
  const header = (name: string) =>
    headers.findLast(([each]) => each.toLowerCase() === name.toLowerCase())?.[1];
  const timeEpoch = Date.now();
  return {
    requestId: randomUUID(),
    traceId: `Root=1-${Math.floor(timeEpoch / 1000).toString(16)}-${randomBytes(12).toString('hex')}`,
    timeEpoch,
    // https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-known-issues.html
    method: header('x-http-method-override') || (request.method ?? 'GET'),
    // The emulator's URLs have no stage. API Gateway ignores extra slashes after it: /prod//plants is /prod/plants.
    path: path.replace(/^\/+/, '/'),
    query: new URLSearchParams(query.join('?')),
    headers,
    header,
    sourceIp: request.socket.remoteAddress?.replace(/^::ffff:/, '') ?? '127.0.0.1',
  };
}
