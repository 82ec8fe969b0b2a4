import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listenOnLoopback } from './loopback.ts';

export interface ScriptedResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** A server on loopback that sends the same response, or none, to every request. */
export interface ScriptedServer {
  readonly url: string;
  readonly requests: readonly ReceivedRequest[];
  stop(): Promise<void>;
}

export async function startScriptedServer(scripted: ScriptedResponse | 'none'): Promise<ScriptedServer> {
  const requests: ReceivedRequest[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url: path = '' } = request;
    requests.push({ method, path, body: await text(request) });
    if (scripted === 'none') return;
    response.writeHead(scripted.status, scripted.headers).end(scripted.body);
  });
  return { ...(await listenOnLoopback(server)), requests };
}
