import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Server, Socket } from 'node:net';
import { afterAll } from '@jest/globals';

const servers: LoopbackServer[] = [];
afterAll(async () => {
  for (const server of servers) await server.stop();
});

/** A server on a free port of the loopback interface, which stops when the tests in the file have ended. */
export interface LoopbackServer {
  /** Starts with http:, even if the server uses a different protocol. */
  readonly url: string;
  readonly port: number;
  readonly connections: readonly Socket[];
  stop(): Promise<void>;
}

export async function listenOnLoopback(server: Server): Promise<LoopbackServer> {
  const connections: Socket[] = [];
  server.on('connection', (socket: Socket) => connections.push(socket));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  assert(address !== null && typeof address === 'object');
  const { port } = address;
  const started: LoopbackServer = {
    url: `http://127.0.0.1:${port}`,
    port,
    connections,
    stop: async () => {
      if (!server.listening) return;
      server.close();
      for (const socket of connections) socket.destroy();
      await once(server, 'close');
    },
  };
  servers.push(started);
  return started;
}
