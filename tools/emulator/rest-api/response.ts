import type { IncomingMessage, ServerResponse } from 'node:http';

export interface HttpResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

/** How much of an unread body is discarded, so that its sender gets to read the response. */
const DRAIN_BYTES = 32 * 1024 * 1024;
/** In all: a client that sends a byte now and then must not keep the connection. */
const DRAIN_MS = 3_000;

export function send(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: HttpResponse,
): void {
  if (response.destroyed) return;
  const lines = [...headers.flat(), 'Content-Length', String(body.length)];
  // A client that is still sending cannot get another request's response on this connection.
  if (!request.complete) lines.push('Connection', 'close');
  response.writeHead(status, lines);
  // Node puts headers that it sends with a Buffer before a queued "100 Continue" of a pipelined request, and the
  // body after it.
  response.flushHeaders();
  if (request.complete) {
    response.end(body);
    return;
  }
  response.write(body);
  drain(request, () => response.end());
}

function drain(request: IncomingMessage, done: () => void): void {
  let discarded = 0;
  const finish = () => {
    clearTimeout(timer);
    request.off('data', discard);
    done();
  };
  const timer = setTimeout(finish, DRAIN_MS);
  const discard = (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > DRAIN_BYTES) finish();
  };
  request.on('data', discard).once('end', finish).once('close', finish);
}
