import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type LoopbackServer, listenOnLoopback } from '../../support/loopback.ts';

/**
 * A proxy in front of the service. It cuts off the response to the first attempt, responds with 1500 to the second, and
 * forwards the third.
 */
export async function startUnreliableFront(serviceUrl: string): Promise<LoopbackServer> {
  const attempts = new Map<string, number>();
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const attempt = (attempts.get(body.toString()) ?? 0) + 1;
    attempts.set(body.toString(), attempt);
    if (attempt === 1) cutOff(response);
    else if (attempt === 2) failWith1500(response);
    else await forward(serviceUrl, request, body, response);
  });
  return listenOnLoopback(server);
}

function cutOff(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' });
  response.write('{"name":"F', () => response.destroy());
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
