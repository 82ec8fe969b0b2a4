import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** A request as API Gateway sees it, its body aside. */
export interface GatewayRequest {
  readonly requestId: string;
  /** Of the form `Root=1-…`, as X-Ray wants it. */
  readonly traceId: string;
  readonly timeEpoch: number;
  readonly method: string;
  /** As sent, without the query string. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** Names in the letter case that the client chose. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly header: (name: string) => string | undefined;
  readonly sourceIp: string;
  readonly stage: string;
  readonly apiId: string;
  readonly stageVariables: Readonly<Record<string, string>>;
}

export interface StageOfApi {
  readonly apiId: string;
  readonly stage: string;
  readonly stageVariables: Readonly<Record<string, string>>;
}

export function parseRequest(request: IncomingMessage, api: StageOfApi): GatewayRequest {
  const url = request.url ?? '/';
  // A proxy's clients send the absolute form: http://host/path
  const target = url.startsWith('/') ? url : url.replace(/^[a-z][\w+.-]*:\/\/[^/?]*/i, '') || '/';
  const mark = target.indexOf('?');
  const timeEpoch = Date.now();
  return {
    ...api,
    requestId: randomUUID(),
    traceId: `Root=1-${Math.floor(timeEpoch / 1000).toString(16)}-${randomBytes(12).toString('hex')}`,
    timeEpoch,
    method: request.method ?? 'GET',
    path: mark === -1 ? target : target.slice(0, mark),
    query: new URLSearchParams(mark === -1 ? '' : target.slice(mark)),
    headers: pairs(request.rawHeaders),
    header(name) {
      const value = request.headers[name.toLowerCase()];
      return Array.isArray(value) ? value.at(-1) : value;
    },
    sourceIp: request.socket.remoteAddress?.replace(/^::ffff:/, '') ?? '127.0.0.1',
  };
}

function pairs(rawHeaders: readonly string[]): [string, string][] {
  const headers: [string, string][] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) headers.push([rawHeaders[i] ?? '', rawHeaders[i + 1] ?? '']);
  return headers;
}
