import { connect, createServer, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type LoopbackServer, listenOnLoopback } from '../support/loopback.ts';

/** Changes a text, whose characters are bytes. */
export type Alter = (bytes: string) => string;

/** Starts a proxy in front of the service that changes the bytes of responses, one for each connection. */
export function startAlteringProxy(serviceUrl: string, alter: Alter): Promise<LoopbackServer> {
  return listenOnLoopback(createServer((client) => void forward(client, serviceUrl, alter)));
}

async function forward(client: Socket, serviceUrl: string, alter: Alter): Promise<void> {
  const { hostname, port } = new URL(serviceUrl);
  const service = connect(Number(port), hostname);
  client.on('error', () => service.destroy()).pipe(service);
  const response = await buffer(service).catch(() => Buffer.alloc(0));
  client.end(Buffer.from(alter(response.toString('latin1')), 'latin1'));
}
