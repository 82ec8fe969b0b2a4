import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';

const PIECE_BYTES = 64 * 1024;
/** More than the largest plant needs. */
const MAX_BYTES = 1024 * 1024;

export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** The server did not send HTTP/1. The message contains nothing of what it sent. */
export class MalformedResponseError extends Error {
  override readonly name = 'MalformedResponseError';

  constructor(what: string) {
    super(`malformed response: ${what}`);
  }
}

/** The response has not ended after the timeout, which begins before the connection. */
export class NoResponseInTimeError extends Error {
  override readonly name = 'NoResponseInTimeError';
}

/**
 * Sends a request byte by byte as given, and returns the response; undefined if the connection ends without one.
 * Neither fetch nor node:http sends malformed requests, or leaves paths, methods and headers unchanged.
 *
 * @throws Error of the socket if there is no connection
 * @throws NoResponseInTimeError if the response has not ended after `timeoutMs`, connection included
 * @throws MalformedResponseError if the response is not HTTP/1, or above 1 MB
 */
export async function exchange(
  origin: URL,
  request: Buffer,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<HttpResponse | undefined> {
  const timeout = AbortSignal.timeout(timeoutMs);
  let socket: Socket | undefined;
  try {
    socket = await connect(origin, AbortSignal.any([signal, timeout]));
    const response = readResponse(socket);
    void upload(socket, request);
    const complete = await response;
    timeout.throwIfAborted();
    return complete;
  } catch (error) {
    throw timeout.aborted ? new NoResponseInTimeError(`no response in ${timeoutMs / 1000} s`) : error;
  } finally {
    socket?.destroy();
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

/** Node's client parses what the socket receives. What it would send itself is dropped. */
function readResponse(socket: Socket): Promise<HttpResponse | undefined> {
  return new Promise((resolve, reject) => {
    const client = httpRequest({ createConnection: () => receivedBy(socket) });
    client.on('error', (error: NodeJS.ErrnoException) => {
      if (error instanceof MalformedResponseError) reject(error);
      else if (error.code?.startsWith('HPE_')) reject(new MalformedResponseError(error.message));
      else resolve(undefined);
    });
    client.on('response', (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      // A response that is cut off is compared as far as it goes.
      response
        .on('error', () => {})
        .on('close', () => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
        });
    });
    client.end();
  });
}

/** What a socket receives, up to 1 MB, as a connection. A reset only ends it. */
function receivedBy(socket: Socket): Duplex {
  let bytes = 0;
  const received = new Duplex({ read: () => {}, write: (_chunk, _encoding, done) => done() });
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) received.destroy(new MalformedResponseError('more than 1 MB'));
    else received.push(chunk);
  });
  socket.on('error', () => {}).on('close', () => received.push(null));
  return received;
}
