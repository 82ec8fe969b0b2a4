import { randomBytes } from 'node:crypto';
import { ACCESS_TOKEN_PATTERN } from '../tokens/tokens.ts';
import { type Header, JSON_TYPE, PLANT, type RowRequest, TOKEN } from './row.ts';

/** The values of a row's placeholders. */
export interface Values {
  readonly baseUrl: URL;
  readonly id: bigint;
  /** The access token, or the JWT of an OpenID Connect provider. */
  readonly token: string;
  /** The same token with a random secret. */
  readonly wrong: string;
}

/** A request that is sent unchanged. */
export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  /** Alternating names and values. */
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
    // AWS's managed rules for web ACLs reject a request that lacks this header.
    ['User-Agent', 'plant-store-conformance'],
    ['Connection', 'close'],
  ];
  return { method, path: fill(path), headers: allHeaders.flat().map(fill), body: bytes };
}

/** The public part of a token: the id of an access token, or the header and claims of a JWT. */
const PUBLIC_PART = new RegExp(`^(?:(?=${ACCESS_TOKEN_PATTERN}$).+_|[\\w-]+\\.[\\w-]+\\.)(?=.)`);

export function tokensOf(token: string): Pick<Values, 'token' | 'wrong'> {
  const [publicPart = ''] = PUBLIC_PART.exec(token) ?? [];
  const { length } = secretOf(token);
  return { token, wrong: publicPart + randomBytes(length).toString('hex').slice(0, length) };
}

/** Removes the token's secret from a text, because some of AWS's messages contain the token. */
export function redact(text: string, token: string): string {
  return text.replaceAll(secretOf(token), '<token>');
}

function secretOf(token: string): string {
  return token.replace(PUBLIC_PART, '');
}
