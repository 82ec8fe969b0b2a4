import { createServer, type IncomingHttpHeaders } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type LoopbackServer, listenOnLoopback } from './loopback.ts';

export interface ScriptedResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** If this is a function, the server sends the pieces that it yields, as fast as the client reads them. */
  readonly body: string | (() => Iterable<Buffer> | AsyncIterable<Buffer>);
}

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface ScriptedServer extends LoopbackServer {
  /** The responses, or none, to the next requests; the last one is repeated. */
  script: (ScriptedResponse | 'none')[];
  readonly requests: ReceivedRequest[];
}

export async function startScriptedServer(
  ...script: ScriptedServer['script']
): Promise<ScriptedServer> {
  const server = createServer(async (request, response) => {
    const { method = '', url: path = '', headers } = request;
    scripted.requests.push({ method, path, headers, body: await text(request) });
    const [next = 'none', ...rest] = scripted.script;
    if (rest.length > 0) scripted.script = rest;
    if (next === 'none') return;
    response.writeHead(next.status, next.headers);
    if (typeof next.body === 'string') response.end(next.body);
    else pipeline(Readable.from(next.body()), response, () => {});
  });
  server.keepAliveTimeout = 60_000;
  const scripted: ScriptedServer = { ...(await listenOnLoopback(server)), script, requests: [] };
  return scripted;
}
