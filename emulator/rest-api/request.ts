import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { required, textOf } from '../json.ts';
import type { Properties } from '../template/properties.ts';
import { GatewayError } from './gateway-error.ts';

/** API Gateway's limit on a payload. */
const MAX_BODY_BYTES = 10_485_760;

/** The media type that API Gateway assumes for a body without a Content-Type. */
const DEFAULT_MEDIA_TYPE = 'application/json';

/** A request as API Gateway sees it, without its body. */
export interface GatewayRequest {
  readonly requestId: string;
  /** Of the form `Root=1-…`, as X-Ray defines it. */
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

export interface ApiStage {
  readonly apiId: string;
  readonly stage: string;
  readonly stageVariables: Readonly<Record<string, string>>;
}

/** Whether a body with this Content-Type reaches the function as base64. */
export type IsBinary = (contentType: string | undefined) => boolean;

export function parseRequest(request: IncomingMessage, stage: ApiStage): GatewayRequest {
  const url = request.url ?? '/';
  // A proxy's clients send the absolute form: http://host/path
  const target = url.startsWith('/') ? url : url.replace(/^[a-z][\w+.-]*:\/\/[^/?]*/i, '') || '/';
  const mark = target.indexOf('?');
  const timeEpoch = Date.now();
  return {
    ...stage,
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

/** @throws GatewayError REQUEST_TOO_LARGE as soon as that is known, with the rest of the body unread */
export function readBody(request: IncomingMessage): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) {
    return Promise.reject(new GatewayError('REQUEST_TOO_LARGE'));
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const collect = (chunk: Buffer) => {
      size += chunk.length;
      chunks.push(chunk);
      if (size <= MAX_BODY_BYTES) return;
      request.off('data', collect);
      reject(new GatewayError('REQUEST_TOO_LARGE'));
    };
    request.on('data', collect);
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', reject);
    request.on('close', () => reject(new Error('The client closed the connection')));
  });
}

/** Reads `BinaryMediaTypes` of a REST API: wildcards are allowed, and CloudFormation may write a slash as ~1. */
export function parseBinaryMediaTypes(restApi: Properties): IsBinary {
  const path = `${restApi.path}.BinaryMediaTypes`;
  const binary = new Set(
    restApi
      .array('BinaryMediaTypes')
      .map((entry) => required(textOf(entry, path), path).replaceAll('~1', '/').toLowerCase()),
  );
  return (contentType) => {
    const [mediaType = ''] = (contentType || DEFAULT_MEDIA_TYPE).toLowerCase().split(';');
    const [type = ''] = mediaType.split('/');
    return [mediaType.trim(), `${type.trim()}/*`, '*/*'].some((candidate) => binary.has(candidate));
  };
}

function pairs(rawHeaders: readonly string[]): [string, string][] {
  const headers: [string, string][] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) headers.push([rawHeaders[i] ?? '', rawHeaders[i + 1] ?? '']);
  return headers;
}
