import type { IncomingMessage, ServerResponse } from 'node:http';
import { finished } from 'node:stream';

export interface HttpResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
}

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
  response.write(body);
  // Reads the rest of the body, so that a client that sends everything before it reads still gets the response.
  finished(request.resume(), () => response.end());
}
