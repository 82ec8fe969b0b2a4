import { type Header, JSON_TYPE, PLANT, type RowRequest, TOKEN } from './row.ts';
import type { Tokens } from './token.ts';

/** The values of a row's placeholders. */
export interface Values extends Tokens {
  readonly baseUrl: URL;
  readonly id: bigint;
}

/** A request that is sent as it is. */
export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: Buffer;
}

/** Returns the request with its placeholders replaced. */
export function requestOf(request: RowRequest, { baseUrl, token, wrong, id }: Values): HttpRequest {
  const { method = 'POST', path = '<base>/plants', headers = [TOKEN, JSON_TYPE] } = request;
  const { body = PLANT, chunked } = request;
  const replacements: Readonly<Record<string, string>> = {
    id: String(id),
    next: String(id + 1n),
    token,
    wrong,
    base: baseUrl.pathname.replace(/\/$/, ''),
  };
  const fill = (text: string) => text.replaceAll(/<(\w+)>/g, (all, name) => replacements[name] ?? all);
  const bytes = typeof body === 'string' ? Buffer.from(fill(body)) : body;
  const allHeaders: readonly Header[] = [
    ['Host', baseUrl.host],
    ...headers,
    chunked ? ['Transfer-Encoding', 'chunked'] : ['Content-Length', String(bytes.length)],
    // AWS's rules for web ACLs reject a request without one.
    ['User-Agent', 'plant-store-conformance'],
    ['Connection', 'close'],
  ];
  return { method, path: fill(path), headers: allHeaders.flat().map(fill), body: bytes };
}
