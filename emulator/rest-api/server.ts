import { once } from 'node:events';
import { createServer } from 'node:http';
import type { DocsPage } from '../docs-page/docs-page.ts';
import { codeOf, EmulatorError, messageOf } from '../emulator-error.ts';
import { addressOf, listenError } from '../listen.ts';
import { createHandler } from './handle.ts';
import { answerMalformedRequests } from './malformed-requests.ts';
import type { RestApi } from './rest-api.ts';

export interface ServerOptions {
  readonly host: string;
  /** 0 is any free port. */
  readonly port: number;
  readonly log: (line: string) => void;
  /** Asked for what no route of the API takes. */
  readonly docsPage?: DocsPage | undefined;
}

export interface RestApiServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** How long answers under way may take when the stage stops. */
const GRACE_MS = 1_000;

/** @throws EmulatorError if the address can't be listened on */
export async function serveRestApi(
  api: RestApi,
  { host, port, log, docsPage }: ServerOptions,
): Promise<RestApiServer> {
  const handle = createHandler(api, log, docsPage);
  const server = createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      // Longer than clients keep idle connections, so that none is closed under a request.
      keepAliveTimeout: 75_000,
      connectionsCheckingInterval: 1_000,
      // Node's own refusal has no body.
      requireHostHeader: false,
    },
    handle,
  );
  // Some clients close their side once they have sent all (`nc -N`); they wait for the answer all the same.
  Object.assign(server, { httpAllowHalfOpen: true });
  // Answered as any other request: 100 Continue only when the body is wanted, and never Node's own 417.
  server.on('checkContinue', handle);
  server.on('checkExpectation', handle);
  answerMalformedRequests(server, api);
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
      const timer = setTimeout(() => server.closeAllConnections(), GRACE_MS);
      await closed;
      clearTimeout(timer);
    },
  };
}

function explain(error: unknown, host: string, port: number): EmulatorError {
  const message = messageOf(error);
  return (
    listenError(codeOf(error), message, { host, port, variable: 'PORT', name: 'Port' }) ??
    new EmulatorError(`The stage can't listen on ${host}:${port}: ${message}`)
  );
}
