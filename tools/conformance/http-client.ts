import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { OperatorError } from '../tokens/errors.ts';
import type { HttpRequest } from './request.ts';

/** More than the largest plant needs. */
const MAX_LENGTH = 1024 * 1024;

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
 * Sends a request, and returns the response, or why there is none, without anything that the server sent. Fetch would
 * change paths, methods and headers. Redirects are not followed, and no more than 1 MB is read.
 *
 * @throws Error of the socket if there is no connection
 * @throws NoResponseInTimeError if the response has not ended after `timeoutMs`, connection included
 * @throws the reason of the signal once that is aborted
 */
export function exchange(
  { protocol, hostname, port }: URL,
  { body: sent, ...request }: HttpRequest,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<HttpResponse | string> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const ended = AbortSignal.any([signal, timeout]);
  const host = hostname.replace(/^\[|\]$/g, '');
  // AWS finds the API by this name (SNI), which RFC 6066 forbids to be an IP address.
  const servername = isIP(host) === 0 ? host : '';
  const send = protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    let sentAt: number | undefined;
    const fail = (error: NodeJS.ErrnoException) => {
      if (signal.aborted) reject(signal.reason);
      else if (timeout.aborted) reject(new NoResponseInTimeError(`no response in ${timeoutMs / 1000} s`));
      else if (sentAt === undefined) reject(error);
      else resolve(error.code?.startsWith('HPE_') ? `malformed response: ${error.message}` : 'no response');
    };
    const complete = ({ statusCode: status = 0, headers }: IncomingMessage, body: string) => {
      if (ended.aborted) fail(new Error('aborted'));
      else resolve({ status, headers, body, durationMs: performance.now() - (sentAt ?? 0) });
    };
    const client = send({ host, port, servername, agent: false, signal: ended, ...request });
    client.on('error', fail);
    client.on('socket', (socket) =>
      socket.once(send === httpsRequest ? 'secureConnect' : 'connect', () => {
        sentAt = performance.now();
      }),
    );
    client.on('response', (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text;
        if (body.length > MAX_LENGTH) response.destroy();
      });
      // A response that is cut off is compared as far as it goes.
      client.off('error', fail).on('error', () => {});
      response.on('error', () => {}).on('close', () => complete(response, body));
    });
    // Nobody asked for another protocol, which Node would never report without this listener.
    client.on('upgrade', (response, socket) => {
      socket.destroy();
      complete(response, '');
    });
    client.end(sent);
  });
}
