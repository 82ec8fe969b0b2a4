import { once } from 'node:events';
import { createServer } from 'node:net';

export const LOOPBACK = '127.0.0.1';

/**
 * Returns the address of this machine at which containers find what they call `host.docker.internal`. It is the
 * gateway of Docker's bridge. If no gateway is an address of this machine, then Docker runs in a virtual machine,
 * as Docker Desktop does, and forwards the name to loopback.
 */
export async function addressForContainers(gateways: readonly string[]): Promise<string> {
  for (const gateway of gateways) if (gateway !== '' && (await isOwnAddress(gateway))) return gateway;
  return LOOPBACK;
}

/** Listens for a moment, because Node does not list the interface of a bridge without containers. */
async function isOwnAddress(host: string): Promise<boolean> {
  const server = createServer().listen({ host, port: 0 });
  try {
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
