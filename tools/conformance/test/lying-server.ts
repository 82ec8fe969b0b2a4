import { createServer, type Socket } from 'node:net';
import { type LoopbackServer, listenOnLoopback } from '../../../test/support/loopback.ts';

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
      client.on('error', () => {}).once('data', (start) => respond(client, start.toString('latin1')));
    }),
  );
}

/** Returns the bytes of a response with a Content-Length and any additional header lines. */
export function httpResponse(status: number, body: string, headers = ''): string {
  return `HTTP/1.1 ${status} X\r\nContent-Type: application/json\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`;
}

/** Sends `head`, then `piece` until the client closes the connection, as fast as the client reads. */
export function sendEndlessly(client: Socket, head: string, piece: string): void {
  const pieces = piece.repeat(2 ** 16 / piece.length);
  const sendMore = () => {
    while (!client.destroyed && client.write(pieces, 'latin1'));
  };
  client.on('drain', sendMore).write(head, sendMore);
}
