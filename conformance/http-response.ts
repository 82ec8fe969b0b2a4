export interface HttpResponse {
  readonly status: number;
  /** By name in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/**
 * Parses an HTTP/1 response (RFC 9112).
 *
 * @param ended whether no more bytes follow: then the body is what has been received
 * @returns undefined if it is incomplete
 */
export function parseResponse(received: Buffer, ended: boolean): HttpResponse | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const [statusLine = '', ...lines] = received.toString('latin1', 0, end).split('\r\n');
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(statusLine)?.[1]);
  const rest = received.subarray(end + 4);
  if (Number.isNaN(status)) return undefined;
  if (status < 200) return parseResponse(rest, ended);
  const headers = new Map(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const body = bodyOf(rest, headers) ?? (ended ? rest : undefined);
  return body && { status, headers, body: body.toString() };
}

function bodyOf(rest: Buffer, headers: ReadonlyMap<string, string>): Buffer | undefined {
  if (headers.get('transfer-encoding') === 'chunked') return dechunk(rest);
  const length = Number(headers.get('content-length') ?? Number.POSITIVE_INFINITY);
  return rest.length >= length ? rest.subarray(0, length) : undefined;
}

/** @returns undefined if the last chunk is missing */
function dechunk(chunked: Buffer): Buffer | undefined {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const line = chunked.indexOf('\r\n', at);
    const size = Number.parseInt(chunked.toString('latin1', at, line), 16);
    if (line === -1 || line + 2 + size > chunked.length) return undefined;
    if (size === 0) return Buffer.concat(chunks);
    chunks.push(chunked.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
}
