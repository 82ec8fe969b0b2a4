import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { UserError } from '@plant-store/emulator';

/** Longer than API Gateway's own limit of 29 s. */
const TIMEOUT_MS = 35_000;
/** The maximum length of a body, in characters; longer than the largest plant. */
const MAX_LENGTH = 1024 * 1024;

/** A request that is sent unchanged (docs/decisions.md#conformance). */
export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  /** Alternating names and values. */
  readonly headers: readonly string[];
  readonly body: Buffer;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** The first megabyte of the body. */
  readonly body: string;
}

/**
 * Sends a request unchanged, whereas fetch would change paths, methods and headers. Does not follow redirects.
 *
 * @param timeoutMs the timeout for the connection and the whole response
 * @throws the socket's or parser's Error if there is no complete response, or the abort reason if the signal is aborted
 * @throws UserError after the timeout
 */
export async function sendRequest(
  baseUrl: URL,
  { body, ...request }: HttpRequest,
  signal: AbortSignal,
  timeoutMs = TIMEOUT_MS,
): Promise<HttpResponse> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const send = baseUrl.protocol === 'https:' ? httpsRequest : httpRequest;
  const client = send(baseUrl, { agent: false, signal: AbortSignal.any([signal, timeout]), ...request });
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      // Node reports an unrequested protocol upgrade only to an 'upgrade' listener.
      client.on('error', reject).on('response', resolve).on('upgrade', resolve).end(body);
    });
    const { statusCode: status = 0, headers } = response;
    return { status, headers, body: status === 101 ? '' : await startOf(response) };
  } catch (error) {
    signal.throwIfAborted();
    if (!timeout.aborted) throw error;
    throw new UserError(`no response within ${timeoutMs / 1000} s: check that the service is running`);
  } finally {
    client.socket?.destroy();
  }
}

async function startOf(response: IncomingMessage): Promise<string> {
  let body = '';
  for await (const text of response.setEncoding('utf8')) {
    body += text;
    if (body.length > MAX_LENGTH) break;
  }
  return body;
}
