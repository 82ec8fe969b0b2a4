import { IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { gatewayResponse } from './gateway-responses.ts';
import { parseRequest } from './request.ts';
import type { HttpResponse } from './response.ts';
import type { RestApi } from './rest-api.ts';

interface Exchange {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
}

/** How long a client may take to read the answer and close; closing first could cost it the answer. */
const LINGER_MS = 500;

/**
 * Has a server answer what Node takes for no request with BAD_REQUEST, and close: after the answers that the
 * connection still owes, because the client takes answers in the order of its requests.
 */
export function answerMalformedRequests(server: Server, api: RestApi): void {
  const open = new WeakMap<Socket, Set<Exchange>>();
  const refused = new WeakSet<Socket>();

  const enter = (incoming: IncomingMessage, response: ServerResponse) => {
    const exchanges = open.get(incoming.socket) ?? new Set();
    open.set(incoming.socket, exchanges);
    const exchange = { incoming, response };
    exchanges.add(exchange);
    response.on('close', () => exchanges.delete(exchange));
  };
  server.prependListener('request', enter);
  server.prependListener('checkContinue', enter);
  server.prependListener('checkExpectation', enter);

  const answer = (socket: Socket) => {
    // A request whose own body is malformed, or doesn't end, gets no answer but this one.
    const owed = [...(open.get(socket) ?? [])].filter(
      ({ incoming, response }) => incoming.complete || response.headersSent,
    );
    const last = owed.at(-1);
    if (last === undefined) sendAndClose(socket, badRequest(socket, api));
    else last.response.once('close', () => answer(socket));
  };
  const refuse = (socket: unknown) => {
    // Node tells of the same connection again for each further piece of it.
    if (!(socket instanceof Socket) || refused.has(socket)) return;
    refused.add(socket);
    socket.on('error', () => {});
    answer(socket);
  };
  server.on('connect', (_request, socket) => refuse(socket));
  server.on('clientError', (_error, socket) => refuse(socket));
}

function badRequest(socket: Socket, api: RestApi): HttpResponse {
  const nothing = parseRequest(new IncomingMessage(socket), api.stage);
  const { headers, ...response } = gatewayResponse('BAD_REQUEST', api.responses, nothing);
  return { ...response, headers: [...headers, ['x-amzn-RequestId', nothing.requestId]] };
}

function sendAndClose(socket: Socket, { status, headers, body }: HttpResponse): void {
  if (!socket.writable) return;
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const head = `HTTP/1.1 ${status} Bad Request\r\n${lines}Content-Length: ${body.length}\r\n`;
  socket.end(Buffer.concat([Buffer.from(`${head}Connection: close\r\n\r\n`), body]));
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.on('close', () => clearTimeout(timer)).resume();
}
