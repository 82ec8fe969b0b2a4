import { once } from 'node:events';
import { createServer, IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { addressOf } from '../functions/runtime-api.ts';
import { codeOf, messageOf, StageError } from '../stage-error.ts';
import { gatewayResponse } from './gateway-responses.ts';
import { createHandler } from './handle.ts';
import { parseRequest } from './request.ts';
import { sendRaw } from './response.ts';
import type { RestApi } from './rest-api.ts';

export interface ServerOptions {
  readonly host: string;
  /** 0 is any free port. */
  readonly port: number;
  readonly log: (line: string) => void;
}

export interface RestApiServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** How long answers under way may take when the stage stops. */
const graceMs = 1_000;

/** @throws StageError if the address can't be listened on */
export async function serveRestApi(api: RestApi, { host, port, log }: ServerOptions): Promise<RestApiServer> {
  const handle = createHandler(api, log);
  const server = createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      // Longer than clients keep idle connections, so that none is closed under a request.
      keepAliveTimeout: 75_000,
      connectionsCheckingInterval: 1_000,
    },
    handle,
  );
  // Answered as any other request: 100 Continue only when the body is wanted, and never Node's own 417.
  server.on('checkContinue', handle);
  server.on('checkExpectation', handle);
  const refuse = (socket: Duplex) => {
    if (!(socket instanceof Socket)) return socket.destroy();
    socket.on('error', () => {});
    const nothing = parseRequest(new IncomingMessage(socket), api.stage);
    return sendRaw(socket, gatewayResponse('BAD_REQUEST', api.responses, nothing));
  };
  server.on('connect', (_request, socket) => refuse(socket));
  server.on('clientError', (_error, socket) => refuse(socket));
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    throw explain(error, host, port);
  }
  const name = host === '127.0.0.1' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return {
    url: `http://${name}:${addressOf(server.address()).port}`,
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const timer = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearTimeout(timer);
    },
  };
}

function explain(error: unknown, host: string, port: number): StageError {
  if (codeOf(error) === 'EADDRINUSE') {
    return new StageError(`Port ${port} is in use: set PORT to another, or to 0 for any`);
  }
  return new StageError(`The stage can't listen on ${host}:${port}: ${messageOf(error)}`);
}
