import type { IncomingMessage, ServerResponse } from 'node:http';

export interface HttpResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

/** How much of a body that nobody wants is still taken, so that its sender gets to read the answer. */
const DRAIN_BYTES = 32 * 1024 * 1024;
/** A sender that pauses this long waits for the answer, not the other way round. */
const QUIET_MS = 500;

export function send(request: IncomingMessage, response: ServerResponse, answer: HttpResponse): void {
  if (response.destroyed) return;
  const headers = answer.headers.flat();
  headers.push('Content-Length', String(answer.body.length));
  if (request.complete) {
    response.writeHead(answer.status, headers).end(answer.body);
    return;
  }
  // A client that is still sending can't be given another request's answer on this connection.
  response.writeHead(answer.status, [...headers, 'Connection', 'close']);
  response.write(answer.body);
  drain(request, () => response.end());
}

function drain(request: IncomingMessage, done: () => void): void {
  let taken = 0;
  const finish = () => {
    clearTimeout(timer);
    request.off('data', take);
    done();
  };
  const timer = setTimeout(finish, QUIET_MS);
  const take = (chunk: Buffer) => {
    taken += chunk.length;
    if (taken > DRAIN_BYTES) finish();
    else timer.refresh();
  };
  request.on('data', take).once('end', finish).once('close', finish);
}
