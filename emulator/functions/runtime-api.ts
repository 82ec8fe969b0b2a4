import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isObject, parseJson } from '../json.ts';
import { FunctionError, type Invocation } from './invocation.ts';

/** What a function's process tells through the Runtime API. */
export interface RuntimeEvents {
  /** It asks for its next invocation. */
  readonly next: (deliver: Deliver) => void;
  readonly succeeded: (requestId: string, result: Buffer) => void;
  readonly failed: (requestId: string, error: FunctionError) => void;
  readonly initFailed: (error: FunctionError) => void;
}

export type Deliver = (invocation: Invocation, functionArn: string, deadline: number) => void;

export interface RuntimeApi {
  /** `127.0.0.1:54321`, the value of AWS_LAMBDA_RUNTIME_API. */
  readonly address: string;
  close(): void;
}

/** Serves Lambda's Runtime API (version 2018-06-01) to one process of a function. */
export async function serveRuntimeApi(events: RuntimeEvents): Promise<RuntimeApi> {
  const server = createServer((request, response) => {
    // The function's process died in the middle of a call; its exit is what counts.
    request.on('error', () => {});
    serve(request, response, events);
  });
  // A process waits for its next invocation as long as it takes.
  server.requestTimeout = 0;
  server.keepAliveTimeout = 0;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = addressOf(server.address());
  return {
    address: `127.0.0.1:${port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

export function addressOf(address: AddressInfo | string | null): AddressInfo {
  if (address === null || typeof address === 'string') throw new TypeError('not a listening TCP server');
  return address;
}

function serve(request: IncomingMessage, response: ServerResponse, events: RuntimeEvents): void {
  const [, requestId = '', action] = /^\/2018-06-01\/runtime\/(?:invocation\/)?([^/]+)(?:\/([^/]+))?$/.exec(
    request.url ?? '',
  ) ?? [undefined];
  if (request.method === 'GET' && requestId === 'next') {
    events.next((invocation, functionArn, deadline) => deliver(response, invocation, functionArn, deadline));
    return;
  }
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks);
    if (requestId === 'init') events.initFailed(functionError(body));
    else if (action === 'error') events.failed(requestId, functionError(body));
    else if (action === 'response') events.succeeded(requestId, body);
    response.writeHead(action === undefined ? 404 : 202, { 'content-length': 0 }).end();
  });
}

function deliver(
  response: ServerResponse,
  invocation: Invocation,
  functionArn: string,
  deadline: number,
): void {
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(invocation.payload),
    'lambda-runtime-aws-request-id': invocation.requestId,
    'lambda-runtime-deadline-ms': deadline,
    'lambda-runtime-invoked-function-arn': functionArn,
    'lambda-runtime-trace-id': invocation.traceId,
  });
  response.end(invocation.payload);
}

function functionError(body: Buffer): FunctionError {
  const error = parseJson(body.toString());
  if (!isObject(error)) return new FunctionError('Unknown', body.toString());
  return new FunctionError(String(error.errorType), String(error.errorMessage));
}
