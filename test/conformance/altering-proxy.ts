import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A proxy in front of the service that changes bytes of requests or responses, which must be one per connection. */
export interface AlteringProxy {
  readonly url: URL;
  stop(): Promise<void>;
}

/** Changes a text, whose characters are bytes. */
export type Alter = (bytes: string) => string;

export async function startAlteringProxy(serviceUrl: string, alter: Alter): Promise<AlteringProxy> {
  const server = createServer((client) => void forward(client, serviceUrl, alter));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    url: new URL(`http://127.0.0.1:${port}`),
    stop: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}

async function forward(client: Socket, serviceUrl: string, alter: Alter): Promise<void> {
  const { hostname, port } = new URL(serviceUrl);
  const service = connect(Number(port), hostname);
  client.on('error', () => service.destroy()).pipe(service);
  const response = await buffer(service).catch(() => Buffer.alloc(0));
  client.end(Buffer.from(alter(response.toString('latin1')), 'latin1'));
}
