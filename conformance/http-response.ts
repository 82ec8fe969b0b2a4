/** More than the largest plant needs. */
const MAX_BYTES = 1024 * 1024;

export interface HttpResponse {
  readonly status: number;
  /** By name in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** The server did not send HTTP/1. The message contains nothing of what it sent. */
export class MalformedResponseError extends Error {
  override readonly name = 'MalformedResponseError';

  constructor(what: string) {
    super(`malformed response: ${what}`);
  }
}

/**
 * Parses an HTTP/1 response (RFC 9112), and skips the interim responses before it.
 *
 * @param ended whether no more bytes follow: then the body is what has been received
 * @returns undefined if it is incomplete
 * @throws MalformedResponseError if it is not HTTP/1, or above 1 MB
 */
export function parseResponse(received: Buffer, ended: boolean): HttpResponse | undefined {
  if (received.length > MAX_BYTES) throw new MalformedResponseError('more than 1 MB');
  for (let rest = received; ; ) {
    const end = rest.indexOf('\r\n\r\n');
    if (end === -1) return undefined;
    const [statusLine = '', ...lines] = rest.toString('latin1', 0, end).split('\r\n');
    const [, status] = /^HTTP\/1\.[01] (\d{3})/.exec(statusLine) ?? [];
    if (status === undefined) throw new MalformedResponseError('no status');
    rest = rest.subarray(end + 4);
    if (Number(status) < 200) continue;
    const headers = headersOf(lines);
    const body = bodyOf(rest, headers) ?? (ended ? rest : undefined);
    return body && { status: Number(status), headers, body: body.toString() };
  }
}

function headersOf(lines: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
}

function bodyOf(rest: Buffer, headers: ReadonlyMap<string, string>): Buffer | undefined {
  if (headers.get('transfer-encoding') === 'chunked') return dechunk(rest);
  const length = headers.get('content-length');
  if (length === undefined) return undefined;
  if (!/^\d+$/.test(length)) throw new MalformedResponseError('the Content-Length is not a number');
  return rest.length >= Number(length) ? rest.subarray(0, Number(length)) : undefined;
}

/** @returns undefined if the last chunk is missing */
function dechunk(chunked: Buffer): Buffer | undefined {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const line = chunked.indexOf('\r\n', at);
    if (line === -1) return undefined;
    const [, hex] = /^([\da-f]+)[ \t]*(?:;|$)/i.exec(chunked.toString('latin1', at, line)) ?? [];
    if (hex === undefined) throw new MalformedResponseError('the size of a chunk is not hexadecimal');
    const size = Number.parseInt(hex, 16);
    if (size === 0) return Buffer.concat(chunks);
    const end = line + 2 + size;
    if (end + 2 > chunked.length) return undefined;
    if (chunked.toString('latin1', end, end + 2) !== '\r\n') {
      throw new MalformedResponseError('a chunk is longer than its size');
    }
    chunks.push(chunked.subarray(line + 2, end));
    at = end + 2;
  }
}
