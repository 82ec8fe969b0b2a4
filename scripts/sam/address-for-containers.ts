import { once } from 'node:events';
import { createServer } from 'node:net';

export const LOOPBACK = '127.0.0.1';

/** Docker 20 reports only the subnet before its first container. The gateway is then the first address in it. */
const SUBNET_END = /\.0\/\d+$/;

/**
 * Returns the address of this machine at which containers find what they call `host.docker.internal`. It is the
 * gateway of Docker's bridge. If no gateway is an address of this machine, then Docker runs in a virtual machine,
 * as Docker Desktop does, and forwards the name to loopback.
 *
 * @param gateways the gateways, or else the subnets, of the bridge
 */
export async function addressForContainers(gateways: readonly string[]): Promise<string> {
  for (const gateway of gateways.map((text) => text.replace(SUBNET_END, '.1'))) {
    if (gateway !== '' && (await isOwnAddress(gateway))) return gateway;
  }
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
