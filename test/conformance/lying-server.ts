import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { addressOf } from '../../emulator/listen.ts';

/** A server that sends any bytes, whatever HTTP requires. */
export interface LyingServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** @param respond gets a connection with the start of its request, whose characters are bytes */
export async function startLyingServer(
  respond: (client: Socket, request: string) => void,
): Promise<LyingServer> {
  const clients = new Set<Socket>();
  const server = createServer((client) => {
    clients.add(client.on('error', () => {}));
    client.once('data', (start) => respond(client, start.toString('latin1')));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${addressOf(server.address()).port}`,
    stop: async () => {
      server.close();
      for (const client of clients) client.destroy();
      await once(server, 'close');
    },
  };
}

/** Returns the bytes of a response with a Content-Length. */
export function httpResponse(status: number, body: string): string {
  return `HTTP/1.1 ${status} X\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}
