import type { IncomingMessage, ServerResponse } from 'node:http';
import { finished } from 'node:stream';

export interface HttpResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

/** How long to read the rest of a rejected body. A slow client must not keep the connection open. */
const DRAIN_MS = 3_000;

export function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: HttpResponse,
): void {
  if (response.destroyed) return;
  const lines = [...headers.flat(), 'Content-Length', String(body.length)];
  // The connection cannot be used for another request, because the client is still sending this one.
  if (!request.complete) lines.push('Connection', 'close');
  response.writeHead(status, lines);
  // If headers are sent together with a Buffer, Node puts a queued "100 Continue" for a pipelined request between the
  // headers and the body.
  response.flushHeaders();
  if (request.complete) {
    response.end(body);
    return;
  }
  response.write(body);
  // Reads the rest of the body, so that a client that sends everything before it reads still gets the response.
  finished(request.resume(), { signal: AbortSignal.timeout(DRAIN_MS) }, () => response.end());
}
