import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** A server in front of the service that fails each request twice before it lets it through. */
export interface UnreliableFront {
  readonly url: string;
  stop(): Promise<void>;
}

export async function startUnreliableFront(serviceUrl: string): Promise<UnreliableFront> {
  const attempts = new Map<string, number>();
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const attempt = (attempts.get(body.toString()) ?? 0) + 1;
    attempts.set(body.toString(), attempt);
    if (attempt === 1) request.socket.destroy();
    else if (attempt === 2) storeFails(response);
    else await passOn(serviceUrl, request, body, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function storeFails(response: ServerResponse): void {
  response.writeHead(400, { 'Content-Type': 'application/json', 'Retry-After': '0' });
  response.end('{"error":1500,"message":"DynamoDB failed or timed out; try again"}');
}

async function passOn(
  serviceUrl: string,
  { url = '', method = '', headers }: IncomingMessage,
  body: Buffer<ArrayBuffer>,
  response: ServerResponse,
): Promise<void> {
  const { authorization = '', 'content-type': type = '' } = headers;
  const answer = await fetch(`${serviceUrl}${url}`, {
    method,
    headers: { Authorization: authorization, 'Content-Type': type },
    body,
  });
  response.writeHead(answer.status, { 'Content-Type': 'application/json' });
  response.end(await answer.text());
}
