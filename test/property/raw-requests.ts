import { connect } from 'node:net';
import fc from 'fast-check';
import { checkAgainstContract } from '../support/contract.ts';
import type { Service } from '../support/service.ts';
import type { Plant } from '../support/target.ts';
import type { Property } from './properties.ts';

/** What hangs longer than this hangs for good: the server's own limit on a request is 30 seconds. */
const HANG_MS = 40_000;
const RAW_PLANT = { id: 7_777_777, name: 'raw' };
const BODY = JSON.stringify(RAW_PLANT);

/** A part of a request: mostly a good one, so that the others get a chance to matter. */
const mostly = (good: string, ...others: (string | fc.Arbitrary<string>)[]) =>
  fc.oneof(
    { weight: 3 * others.length, arbitrary: fc.constant(good) },
    ...others.map((other) => ({
      weight: 1,
      arbitrary: typeof other === 'string' ? fc.constant(other) : other,
    })),
  );

const chunked = `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`;
const methods = mostly('POST', 'GET', 'PUT', 'OPTIONS', 'TRACE', 'post', 'PØST', 'CONNECT', 'PRI', '');
const targets = mostly(
  '/plants',
  ...['/plants/', '/plants?a=b', '//plants', '/plants#x', '*', 'http://x/plants', '/%', '/%00', '/../plants'],
  fc.string({ maxLength: 20 }),
);
const versions = mostly('HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'HTTP/9.9', 'http/1.1', '');
const ends = mostly('\r\n', '\n', '\r');
const bodies = mostly(BODY, '', chunked, 'zz\r\n', `${BODY}GET / HTTP/1.1\r\n\r\n`);

const usualHeaders = fc.subarray(
  [
    'Host: a',
    'Content-Type: application/json',
    'Authorization: Bearer {token}',
    `Content-Length: ${BODY.length}`,
  ],
  { minLength: 2 },
);
const unusualHeaders = fc.oneof(
  fc.constantFrom(
    ...['Host: b', 'Content-Length: 5', 'Content-Length: -1', 'Content-Length:', 'Content-Length: 20971520'],
    ...['Content-Length: 99999999999999999999', 'Content-Length: 0x10', 'Transfer-Encoding: chunked'],
    ...[
      'Transfer-Encoding: gzip, chunked',
      'Transfer-Encoding: identity',
      'Expect: 100-continue',
      'Expect: tea',
    ],
    ...[
      'Connection: close',
      'Connection: upgrade',
      'Upgrade: websocket',
      'Upgrade: h2c',
      'HTTP2-Settings: AAAA',
    ],
    ...[
      'Content-Type: text/plain',
      'CONTENT-TYPE: APPLICATION/JSON',
      'Authorization: Bearer x',
      'Trailer: X',
    ],
    ...[
      'Authorization: Bearer {token}',
      ' folded: header',
      'no colon',
      ': no name',
      'sp ace: x',
      'X: \u0000',
    ],
    ...['Cookie: a=b; c', `X: ${'y'.repeat(20_000)}`, 'X: é'],
  ),
  fc.string({ maxLength: 30 }),
);
const headers = fc
  .tuple(usualHeaders, fc.oneof(fc.constant([]), fc.array(unusualHeaders, { maxLength: 3 })))
  .map((both) => both.flat())
  .chain((lines) => fc.shuffledSubarray(lines, { minLength: lines.length }));

const requests = fc
  .tuple(methods, targets, versions, headers, ends, bodies)
  .map(([method, target, version, lines, end, body]) =>
    [[`${method} ${target} ${version}`, ...lines].join(end), body].join(end + end),
  );
const streams = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.array(requests, { minLength: 1, maxLength: 3 }).map((texts) => texts.join('')),
  },
  {
    weight: 1,
    arbitrary: fc
      .uint8Array({ minLength: 1, maxLength: 200 })
      .map((bytes) => Buffer.from(bytes).toString('latin1')),
  },
);

/** Bytes on a connection, for which there may be no HTTP client that would send them. */
export function rawRequests(service: () => Service, plants: Map<string, Plant>): Property {
  return {
    name: 'no bytes on a connection make the service fail, hang or answer outside its contract',
    share: 15,
    property: fc.asyncProperty(streams, async (stream) => {
      const bytes = Buffer.from(stream.replaceAll('{token}', service().token), 'latin1');
      for (const { status, headers, text } of responsesIn(await sendAll(service().emulator.url, bytes))) {
        if (status !== 200 && (status < 400 || status > 499)) throw new Error(`it answered ${status}`);
        checkAgainstContract({ status, headers, text, body: JSON.parse(text) });
      }
      const stored = await service().stored(BigInt(RAW_PLANT.id));
      if (stored === undefined) return;
      if (stored.name !== RAW_PLANT.name) throw new Error('it stored what nobody sent');
      plants.set(String(RAW_PLANT.id), { name: RAW_PLANT.name });
    }),
  };
}

/** Sends bytes, ends its side, and waits until the server ends the other. */
function sendAll(url: string, bytes: Buffer): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true }, () =>
      socket.end(bytes),
    );
    socket.setTimeout(HANG_MS, () => socket.destroy(new Error('it neither answered nor closed')));
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // A server that closes while bytes are under way to it resets the connection.
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') reject(error);
    });
  });
}

interface RawResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly text: string;
}

function responsesIn(stream: string): RawResponse[] {
  const responses: RawResponse[] = [];
  // Interim, so no answer yet; it has no headers, and would else be taken for the head of what follows it.
  for (let rest = stream.replaceAll('HTTP/1.1 100 Continue\r\n\r\n', ''); rest !== ''; ) {
    const [, version, code = '', head = '', after = ''] =
      /^(HTTP\/1\.1) (\d{3}) [^\r]*\r\n(.*?)\r\n\r\n(.*)$/s.exec(rest) ?? [];
    if (version === undefined) throw new Error('what it answered is no HTTP');
    const headers = Object.fromEntries(
      head.split('\r\n').map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    const length = Number(headers['content-length'] ?? noLength());
    responses.push({ status: Number(code), headers, text: after.slice(0, length) });
    rest = after.slice(length);
  }
  return responses;
}

function noLength(): never {
  throw new Error('a response has no Content-Length');
}
