import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type LoopbackServer, listenOnLoopback } from './loopback.ts';

/** A proxy in front of the service that fails each request once, by 1500, and forwards the second attempt. */
export async function startUnreliableFront(serviceUrl: string): Promise<LoopbackServer> {
  const failed = new Set<string>();
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    if (failed.has(body.toString())) return forward(serviceUrl, request, body, response);
    failed.add(body.toString());
    failWith1500(response);
  });
  return listenOnLoopback(server);
}

function failWith1500(response: ServerResponse): void {
  response.writeHead(400, { 'Content-Type': 'application/json', 'Retry-After': '0' });
  response.end('{"error":1500,"message":"DynamoDB failed or timed out; try again"}');
}

async function forward(
  serviceUrl: string,
  { url = '', method = '', headers }: IncomingMessage,
  body: Buffer<ArrayBuffer>,
  response: ServerResponse,
): Promise<void> {
  const { authorization = '', 'content-type': type = '' } = headers;
  const reply = await fetch(`${serviceUrl}${url}`, {
    method,
    headers: { Authorization: authorization, 'Content-Type': type },
    body,
  });
  response.writeHead(reply.status, { 'Content-Type': 'application/json' });
  response.end(await reply.text());
}
