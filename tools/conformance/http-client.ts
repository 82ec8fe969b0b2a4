import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { UserError } from '@plant-store/emulator';
import type { HttpRequest } from './request.ts';

/** Longer than API Gateway's own limit of 29 s. */
export const TIMEOUT_MS = 35_000;
/** The maximum length of a body, in characters; longer than the largest plant. */
const MAX_LENGTH = 1024 * 1024;

export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** The first megabyte of the body, or the part that arrived if the response was cut off. */
  readonly body: string;
}

/**
 * Sends a request unchanged, whereas fetch would change paths, methods and headers. Does not follow redirects. Returns
 * the response or, if there is none, the reason, without any text that the server sent.
 *
 * @param timeoutMs the timeout for the connection and the whole response
 * @throws the socket's Error if there is no connection, or the abort reason if the signal is aborted
 * @throws UserError after the timeout
 */
export async function exchange(
  { protocol, hostname, port }: URL,
  { body, ...request }: HttpRequest,
  signal: AbortSignal,
  timeoutMs = TIMEOUT_MS,
): Promise<HttpResponse | string> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const ended = AbortSignal.any([signal, timeout]);
  const host = hostname.replace(/^\[|\]$/g, '');
  // AWS finds the API by this name (SNI). RFC 6066 forbids an IP address here.
  const servername = isIP(host) === 0 ? host : '';
  const send = protocol === 'https:' ? httpsRequest : httpRequest;
  const client = send({ host, port, servername, agent: false, signal: ended, ...request });
  let connected = false;
  client.once('socket', (socket) =>
    socket.once(send === httpsRequest ? 'secureConnect' : 'connect', () => {
      connected = true;
    }),
  );
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      // Node reports an unrequested protocol upgrade only to an 'upgrade' listener.
      client.on('error', reject).on('response', resolve).on('upgrade', resolve).end(body);
    });
    const { statusCode: status = 0, headers } = response;
    return { status, headers, body: status === 101 ? '' : await startOf(response, ended) };
  } catch (error) {
    signal.throwIfAborted();
    if (timeout.aborted) {
      throw new UserError(`no response within ${timeoutMs / 1000} s: check that the service is running`);
    }
    if (!connected || !(error instanceof Error)) throw error;
    const isMalformed = 'code' in error && /^HPE_/.test(String(error.code));
    return isMalformed ? `malformed response: ${error.message}` : 'no response';
  } finally {
    client.socket?.destroy();
  }
}

/** @throws the abort reason if the signal ends the response */
async function startOf(response: IncomingMessage, ended: AbortSignal): Promise<string> {
  let body = '';
  try {
    for await (const text of response.setEncoding('utf8')) {
      body += text;
      if (body.length > MAX_LENGTH) break;
    }
  } catch {
    ended.throwIfAborted();
  }
  return body;
}
