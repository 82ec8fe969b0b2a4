import type { Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** Node's own responses to what it cannot parse; 400 otherwise. */
const STATUSES: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
};

/**
 * Responds to every request that has arrived before its connection closes, because the client stops sending or sends
 * something else than a request: Node would close it at once, although a function may have stored what was sent.
 */
export function respondBeforeClosing(server: Server): void {
  // A client that shuts its side of the connection down still reads. Node's types lack the property.
  Object.assign(server, { httpAllowHalfOpen: true });
  const unfinished = new WeakMap<Duplex, Set<ServerResponse>>();
  const closing = new WeakSet<Duplex>();
  server.prependListener('request', ({ socket }, response) => {
    const responses = unfinished.get(socket) ?? new Set();
    unfinished.set(socket, responses.add(response));
    response.on('close', () => responses.delete(response));
  });
  server.on('clientError', ({ code }: NodeJS.ErrnoException, socket) => {
    // Whatever else arrives is an error too.
    if (closing.has(socket)) return;
    closing.add(socket);
    const last = [...(unfinished.get(socket) ?? [])].findLast(({ req }) => req.complete);
    if (last === undefined) close(socket, code);
    else last.on('close', () => close(socket, code));
  });
}

/** Nothing is sent behind a response with `Connection: close`. */
function close(socket: Duplex, code = ''): void {
  const status = STATUSES[code] ?? '400 Bad Request';
  if (socket.writable) socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\n\r\n`, () => socket.destroy());
}
