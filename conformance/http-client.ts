import { once } from 'node:events';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { type HttpResponse, parseResponse } from './http-response.ts';

/** For a whole request, its connection included: API Gateway responds within 29 s. */
const TIMEOUT_MS = 35_000;
const PIECE_BYTES = 64 * 1024;

/**
 * Sends a request byte by byte as given, and returns the response; undefined if the connection ends without one, or
 * the response has not ended after the timeout, which begins before the connection. Neither fetch nor node:http sends
 * malformed requests, or leaves paths, methods and headers unchanged.
 *
 * @throws Error of the socket if there is no connection
 * @throws MalformedResponseError if the response is not HTTP/1, or above 1 MB
 */
export async function exchange(
  origin: URL,
  request: Buffer,
  signal: AbortSignal,
  timeoutMs = TIMEOUT_MS,
): Promise<HttpResponse | undefined> {
  const timeout = AbortSignal.timeout(timeoutMs);
  let socket: Socket | undefined;
  try {
    socket = await connect(origin, AbortSignal.any([signal, timeout]));
    const response = readResponse(socket);
    void upload(socket, request);
    const complete = await response;
    return timeout.aborted ? undefined : complete;
  } catch (error) {
    if (timeout.aborted) return undefined;
    throw error;
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

function readResponse(socket: Socket): Promise<HttpResponse | undefined> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    const parse = (ended: boolean) => {
      try {
        const response = parseResponse(received, ended);
        if (response !== undefined || ended) resolve(response);
      } catch (error) {
        reject(error);
      }
    };
    socket.on('data', (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      parse(false);
    });
    const ended = () => parse(true);
    // A reset after the response does not make it another.
    socket.on('error', ended).on('end', ended).on('close', ended);
  });
}
