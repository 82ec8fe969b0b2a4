import { createServer, type Socket } from 'node:net';
import { type LoopbackServer, listenOnLoopback } from '../../../test/support/servers/loopback.ts';

/**
 * Starts a server that can send any bytes, even if they are not valid HTTP.
 *
 * @param respond receives a connection and the start of its request, as a string with one character for each byte
 */
export function startLyingServer(
  respond: (client: Socket, request: string) => void,
): Promise<LoopbackServer> {
  return listenOnLoopback(
    createServer((client) => {
      client
        .on('error', () => {})
        .once('data', (start) => respond(client, start.toString('latin1')));
    }),
  );
}

/** Returns the bytes of a response with a Content-Length. */
export function httpResponse(status: number, body: string): string {
  return `HTTP/1.1 ${status} X\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}
