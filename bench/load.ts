import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

export interface Load {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body of the request that comes next. */
  readonly body: () => string;
  /** Whether an answer is what the contract says. */
  readonly isRight: (status: number, body: string) => boolean;
  readonly connections: number;
  readonly seconds: number;
}

export interface LoadResult {
  readonly perSecond: number;
  readonly latenciesMs: readonly number[];
  /** The first of the answers that weren't right. */
  readonly wrong: readonly string[];
}

const HEAD_END = '\r\n\r\n';

/**
 * POSTs as fast as answers come, over connections that stay open, and looks at every answer. On bare sockets:
 * what it takes of the machine, the service lacks.
 */
export async function load(options: Load): Promise<LoadResult> {
  const latenciesMs: number[] = [];
  const wrong: string[] = [];
  const start = performance.now();
  const end = start + options.seconds * 1_000;
  const connection = async () => {
    const { hostname, port } = new URL(options.url);
    const socket = connect(Number(port), hostname).setNoDelay().setEncoding('latin1');
    await once(socket, 'connect');
    while (performance.now() < end) {
      const sent = performance.now();
      socket.write(request(options));
      const { status, body } = await response(socket);
      latenciesMs.push(performance.now() - sent);
      if (!options.isRight(status, body)) wrong.push(`${status} ${body}`);
    }
    socket.destroy();
  };
  await Promise.all(Array.from({ length: options.connections }, connection));
  return { perSecond: latenciesMs.length / ((performance.now() - start) / 1_000), latenciesMs, wrong };
}

function request({ url, headers, body }: Load): string {
  const { host, pathname } = new URL(url);
  const text = body();
  const lines = Object.entries({ Host: host, ...headers, 'Content-Length': `${text.length}` });
  return `POST ${pathname} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}`).join('\r\n')}${HEAD_END}${text}`;
}

/** @throws where the connection ends, or an answer doesn't say how long it is */
function response(socket: Socket): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    let text = '';
    const onClose = () => reject(new Error(`the connection was closed after: ${text}`));
    socket.once('close', onClose);
    socket.on('data', function onData(chunk: string) {
      text += chunk;
      const headEnd = text.indexOf(HEAD_END);
      if (headEnd < 0) return;
      const [, length] = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, headEnd)) ?? [];
      if (length === undefined) return reject(new Error(`an answer without Content-Length: ${text}`));
      const body = text.slice(headEnd + HEAD_END.length);
      if (body.length < Number(length)) return;
      socket.off('data', onData).off('close', onClose);
      resolve({ status: Number(text.slice(9, 12)), body });
    });
  });
}
