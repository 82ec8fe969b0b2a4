import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { listenError } from '../errors.ts';
import { type ListenerOptions, requestListener } from './request-listener.ts';
import type { RestApi } from './rest-api.ts';

export interface ServerOptions extends ListenerOptions {
  readonly host: string;
  /** 0 means any free port. */
  readonly port: number;
}

/** How long requests in progress may take when the emulator stops. */
const GRACE_MS = 1_000;

/** @throws UserError if the server cannot listen on the address */
export async function serveRestApi(
  currentApi: () => Promise<RestApi>,
  { host, port, ...listenerOptions }: ServerOptions,
): Promise<{ readonly url: string; readonly id: string; readonly stop: () => Promise<void> }> {
  const id = randomUUID();
  const listener = requestListener(currentApi, listenerOptions);
  const server = createServer(
    {
      // AWS's front end has a smaller limit.
      maxHeaderSize: 64 * 1024,
      // Longer than clients keep idle connections, so that no connection is closed while a client sends a request.
      keepAliveTimeout: 75_000,
    },
    // Other commands recognize this emulator by its response to this path, which is not logged.
    (request, response) =>
      request.url === `/${id}` ? response.writeHead(204).end() : listener(request, response),
  );
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    throw listenError(error, 'PORT', host, port);
  }
  const bound = server.address();
  if (bound === null || typeof bound === 'string')
    throw new TypeError('not listening on a TCP port');
  // Not `localhost`, which can lead to another program that listens on [::1].
  const address = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host;
  const name = address.includes(':') ? `[${address}]` : address;
  return {
    id,
    url: `http://${name}:${bound.port}`,
    async stop() {
      setTimeout(() => server.closeAllConnections(), GRACE_MS).unref();
      await once(server.close(), 'close');
    },
  };
}
