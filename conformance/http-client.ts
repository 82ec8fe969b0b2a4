import { once } from 'node:events';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** API Gateway responds within 29 s. */
const TIMEOUT_MS = 35_000;
const PIECE_BYTES = 64 * 1024;

export interface HttpResponse {
  readonly status: number;
  /** By name in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/**
 * Sends a request byte by byte as given, and returns the response; undefined if the connection ends without one, or
 * after 35 s. Neither fetch nor node:http sends malformed requests, or leaves paths, methods and headers unchanged.
 *
 * @throws Error of the socket if there is no connection
 */
export async function exchange(
  origin: URL,
  request: Buffer,
  signal: AbortSignal,
): Promise<HttpResponse | undefined> {
  const socket = await connect(origin, signal);
  try {
    const response = readResponse(socket);
    void upload(socket, request);
    return await response;
  } finally {
    socket.destroy();
  }
}

async function connect({ protocol, hostname, port }: URL, signal: AbortSignal): Promise<Socket> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const secure = protocol === 'https:';
  const address = { host, port: Number(port) || (secure ? 443 : 80) };
  // AWS finds the API by this name (SNI), which RFC 6066 forbids to be an IP address.
  const servername = isIP(host) === 0 ? host : '';
  const socket = secure ? connectTls({ ...address, servername }) : connectTcp(address);
  signal.addEventListener('abort', () => socket.destroy(), { once: true });
  await once(socket, secure ? 'secureConnect' : 'connect', { signal });
  return socket;
}

/** In pieces, because a server may respond and close before it has read a large body. */
async function upload(socket: Socket, request: Buffer): Promise<void> {
  for (let at = 0; at < request.length && !socket.destroyed; at += PIECE_BYTES) {
    const flushed = socket.write(request.subarray(at, at + PIECE_BYTES));
    if (!flushed) await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => {});
  }
}

function readResponse(socket: Socket): Promise<HttpResponse | undefined> {
  return new Promise((resolve) => {
    let received = Buffer.alloc(0);
    const ended = () => resolve(parseResponse(received, true));
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const response = parseResponse(received, false);
      if (response !== undefined) resolve(response);
    });
    // A reset after the response does not make it another.
    socket.on('error', ended).on('end', ended).on('close', ended);
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy());
  });
}

/**
 * Parses an HTTP/1 response (RFC 9112).
 *
 * @param ended whether no more bytes follow: then the body is what has been received
 * @returns undefined if it is incomplete
 */
export function parseResponse(received: Buffer, ended: boolean): HttpResponse | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const [statusLine = '', ...lines] = received.toString('latin1', 0, end).split('\r\n');
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(statusLine)?.[1]);
  const rest = received.subarray(end + 4);
  if (Number.isNaN(status)) return undefined;
  if (status < 200) return parseResponse(rest, ended);
  const headers = new Map(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const body = bodyOf(rest, headers) ?? (ended ? rest : undefined);
  return body && { status, headers, body: body.toString() };
}

function bodyOf(rest: Buffer, headers: ReadonlyMap<string, string>): Buffer | undefined {
  if (headers.get('transfer-encoding') === 'chunked') return dechunk(rest);
  const length = Number(headers.get('content-length') ?? Number.POSITIVE_INFINITY);
  return rest.length >= length ? rest.subarray(0, length) : undefined;
}

/** @returns undefined if the last chunk is missing */
function dechunk(chunked: Buffer): Buffer | undefined {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const line = chunked.indexOf('\r\n', at);
    const size = Number.parseInt(chunked.toString('latin1', at, line), 16);
    if (line === -1 || line + 2 + size > chunked.length) return undefined;
    if (size === 0) return Buffer.concat(chunks);
    chunks.push(chunked.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
}
