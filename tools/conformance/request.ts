import { randomBytes } from 'node:crypto';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import { UserError } from '../command-line/failures.ts';
import { INVALID_BODY } from '../contract/example-requests.ts';
import { JSON_TYPE, METHOD, PATH, type RowRequest, type RowResponse, TOKEN } from './row.ts';
import type { Target } from './target.ts';

/** Longer than API Gateway's own limit of 29 s. */
const TIMEOUT_MS = 35_000;

export interface RunOptions extends Target {
  readonly signal: AbortSignal;
  /** The timeout for each request, including its connection. */
  readonly timeoutMs?: number;
}

/**
 * Sends a row's request with its placeholders replaced, and otherwise unchanged, whereas fetch would change paths,
 * methods and headers, and hide a response that comes before the body is sent. Does not follow redirects.
 *
 * @throws the socket's or parser's Error if there is no complete response, or the abort reason if the signal is aborted
 * @throws UserError after the timeout
 */
export async function sendRequest(
  request: RowRequest,
  id: bigint,
  { baseUrl, token, signal, timeoutMs = TIMEOUT_MS }: RunOptions,
): Promise<RowResponse> {
  const {
    method = METHOD,
    path = `<base>${PATH}`,
    headers = { ...TOKEN, ...JSON_TYPE },
    body = INVALID_BODY,
  } = request;
  const replacements: Readonly<Record<string, string>> = {
    id: String(id),
    next: String(id + 1n),
    token,
    // Replaces the secret of an access token, or a part of a JWT's signature.
    wrong: token.slice(0, -64) + randomBytes(32).toString('hex'),
    base: baseUrl.pathname.replace(/\/$/, ''),
  };
  const fill = (template: string) =>
    template.replaceAll(/<(\w+)>/g, (all, name) => replacements[name] ?? all);
  const bytes = typeof body === 'string' ? Buffer.from(fill(body)) : body;
  const timeout = AbortSignal.timeout(timeoutMs);
  const send = baseUrl.protocol === 'https:' ? httpsRequest : httpRequest;
  const sent = send(baseUrl, {
    agent: false,
    signal: AbortSignal.any([signal, timeout]),
    method,
    path: fill(path),
    headers: {
      // AWS's managed rules for web ACLs reject a request that lacks this header.
      'User-Agent': 'plant-store-conformance',
      ...('Transfer-Encoding' in headers ? {} : { 'Content-Length': bytes.length }),
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value)])),
    },
  });
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.on('error', reject).on('response', resolve).end(bytes);
    });
    const { statusCode: status = 0 } = response;
    return { status, headers: response.headers, body: await text(response) };
  } catch (error) {
    signal.throwIfAborted();
    if (!timeout.aborted) throw error;
    throw new UserError(
      `no response within ${timeoutMs / 1000} s: check that the service is running`,
    );
  } finally {
    sent.destroy();
  }
}
