import { JSON_TYPE, PLANT, type RowRequest, TOKEN } from './row.ts';
import type { Tokens } from './token.ts';

/** The values of a row's placeholders. */
export interface Values extends Tokens {
  readonly baseUrl: URL;
  readonly id: bigint;
}

const CHUNK_BYTES = 64 * 1024;

/** Returns the bytes of a request, all placeholders replaced. */
export function requestBytes(request: RowRequest, values: Values): Buffer {
  const { method = 'POST', path = '<base>/plants', headers = [TOKEN, JSON_TYPE] } = request;
  const { body = PLANT, chunked, version = '1.1', raw } = request;
  const replacements = replacementsOf(values);
  const fill = (text: string) => text.replaceAll(/<(\w+)>/g, (all, name) => replacements[name] ?? all);
  if (raw !== undefined) return Buffer.from(fill(raw));
  const bytes = typeof body === 'string' ? Buffer.from(fill(body)) : body;
  const lines = [
    `${method} ${path} HTTP/${version}`,
    'Host: <host>',
    ...headers.map(([name, value]) => `${name}: ${value}`),
    chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${bytes.length}`,
    'Connection: close',
  ];
  const head = Buffer.from(fill(`${lines.join('\r\n')}\r\n\r\n`));
  return Buffer.concat([head, ...(chunked ? inChunks(bytes) : [bytes])]);
}

function replacementsOf({ baseUrl, token, wrong, id }: Values): Readonly<Record<string, string>> {
  return {
    id: String(id),
    next: String(id + 1n),
    token,
    wrong,
    base: baseUrl.pathname.replace(/\/$/, ''),
    host: baseUrl.host,
  };
}

function inChunks(bytes: Buffer): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    const chunk = bytes.subarray(at, at + CHUNK_BYTES);
    chunks.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'));
  }
  return [...chunks, Buffer.from('0\r\n\r\n')];
}
