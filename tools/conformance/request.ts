import { randomBytes } from 'node:crypto';
import { ACCESS_TOKEN_PATTERN } from '../../lambda/shared/tokens/access-token.ts';
import type { HttpRequest } from './http-client.ts';
import { type Header, JSON_TYPE, PLANT, type RowRequest, TOKEN } from './row.ts';

export interface Target {
  readonly baseUrl: URL;
  /** The access token, or the JWT of an OpenID Connect provider. */
  readonly token: string;
  /** The commit from which the service was deployed, if it is known. */
  readonly commit?: string | undefined;
}

/** The values of a row's placeholders. */
export interface Values extends Target {
  readonly id: bigint;
  /** The token with its secret replaced by a random one, which the service must reject. */
  readonly wrong: string;
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

/** Masks the token's secret, the API's id and account ids, because some of AWS's messages contain them. */
export function masked(text: string, { baseUrl, token }: Target): string {
  const [, apiId] = /^([\w-]+)\..*[a-z]/.exec(baseUrl.hostname) ?? [];
  const withoutToken = text.replaceAll(secretOf(token), '<token>');
  const withoutApi = apiId ? withoutToken.replaceAll(new RegExp(apiId, 'gi'), '<api>') : withoutToken;
  return withoutApi.replaceAll(/(?<!\d)\d{12}(?!\d)/g, '<account>');
}

function secretOf(token: string): string {
  return token.replace(PUBLIC_PART, '');
}
