import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { OperatorError } from '../tokens/errors.ts';

const PIECE_BYTES = 64 * 1024;
/** More than the largest plant needs. */
const MAX_BYTES = 1024 * 1024;

export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** From sending the request to the end of the response, in ms: without the connection. */
  readonly durationMs: number;
}

/** The response has not ended after the timeout, which begins before the connection. */
export class NoResponseInTimeError extends OperatorError {
  override readonly name = 'NoResponseInTimeError';
}

/**
 * Sends a request byte by byte as given, and returns the response, or why there is none, without anything that the
 * server sent. Neither fetch nor node:http sends malformed requests, or leaves paths, methods and headers unchanged.
 * Redirects are not followed, and no more than 1 MB is read.
 *
 * @throws Error of the socket if there is no connection
 * @throws NoResponseInTimeError if the response has not ended after `timeoutMs`, connection included
 * @throws the reason of the signal once that is aborted
 */
export async function exchange(
  origin: URL,
  request: Buffer,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<HttpResponse | string> {
  const timeout = AbortSignal.timeout(timeoutMs);
  let socket: Socket | undefined;
  try {
    socket = await connect(origin, AbortSignal.any([signal, timeout]));
    const response = readResponse(socket, performance.now());
    void upload(socket, request);
    const complete = await response;
    signal.throwIfAborted();
    timeout.throwIfAborted();
    return complete;
  } catch (error) {
    signal.throwIfAborted();
    throw timeout.aborted ? new NoResponseInTimeError(`no response in ${timeoutMs / 1000} s`) : error;
  } finally {
    socket?.destroy();
  }
}

async function connect({ protocol, hostname, port }: URL, signal: AbortSignal): Promise<Socket> {
  signal.throwIfAborted();
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
function readResponse(socket: Socket, sentAt: number): Promise<HttpResponse | string> {
  return new Promise((resolve) => {
    const complete = ({ statusCode: status = 0, headers }: IncomingMessage, body: string) =>
      resolve({ status, headers, body, durationMs: performance.now() - sentAt });
    const client = httpRequest({ createConnection: () => receivedBy(socket) });
    client.on('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code?.startsWith('HPE_') ? `malformed response: ${error.message}` : 'no response');
    });
    client.on('response', (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text;
      });
      // A response that is cut off is compared as far as it goes.
      response.on('error', () => {}).on('close', () => complete(response, body));
    });
    // Nobody asked for another protocol, which Node would never report without this listener.
    client.on('upgrade', (response) => complete(response, ''));
    client.end();
  });
}

/** What a socket receives, up to 1 MB, as a connection. A reset only ends it. */
function receivedBy(socket: Socket): Duplex {
  let bytes = 0;
  const received = new Duplex({ read: () => {}, write: (_chunk, _encoding, done) => done() });
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= MAX_BYTES) received.push(chunk);
    else socket.destroy();
  });
  socket.on('error', () => {}).on('close', () => received.push(null));
  return received;
}
