import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

const BAD_REQUEST = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n';

/**
 * If a client stops sending, or sends something other than a request, every request that has already arrived still gets
 * its response before the connection closes. By default, Node would close the connection at once, even though a
 * function may already have stored data.
 */
export function respondBeforeClosing(server: Server): void {
  // Lets a client shut down its side of the connection and still read the response. Node's types lack this property.
  Object.assign(server, { httpAllowHalfOpen: true });
  const unfinished = new WeakMap<Duplex, Set<ServerResponse>>();
  const closing = new WeakSet<Duplex>();
  server.prependListener('request', ({ socket }, response) => {
    const responses = unfinished.get(socket) ?? new Set();
    unfinished.set(socket, responses.add(response));
    response.on('close', () => responses.delete(response));
  });
  server.on('clientError', (_, socket) => {
    // After the first error, Node reports all later bytes as errors too.
    if (closing.has(socket)) return;
    closing.add(socket);
    const last = [...(unfinished.get(socket) ?? [])].findLast(({ req }) => req.complete);
    // After a response with `Connection: close`, the socket is no longer writable.
    const close = () => socket.writable && socket.end(BAD_REQUEST, () => socket.destroy());
    if (last === undefined) close();
    else last.on('close', close);
  });
}
