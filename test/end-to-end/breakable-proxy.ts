import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy whose line can be cut and fixed. */
export interface BreakableProxy {
  readonly url: string;
  /** Resets every connection, those to come included. */
  cut(): void;
  /** Lets no byte through, those of open connections included, and closes nothing. */
  stall(): void;
  fix(): void;
  stop(): Promise<void>;
}

export async function startBreakableProxy(target: string): Promise<BreakableProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isCut = false;
  let isStalled = false;

  const server = createServer((client) => {
    if (isCut) {
      client.resetAndDestroy();
      return;
    }
    if (isStalled) {
      sockets.add(client);
      client.on('error', () => client.destroy());
      return;
    }
    const upstream = connect(Number(port), hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => sockets.delete(from));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const reset = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    url: `http://127.0.0.1:${portOf(server.address())}`,
    cut: () => {
      isCut = true;
      reset();
    },
    stall: () => {
      isStalled = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    fix: () => {
      if (isStalled) reset();
      isCut = false;
      isStalled = false;
    },
    stop: async () => {
      reset();
      server.close();
      await once(server, 'close');
    },
  };
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('not listening on a port');
  return address.port;
}
