import type { Socket } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { CREATED } from '../../conformance/expectation.ts';
import type { Row } from '../../conformance/row.ts';
import { subjects } from '../../conformance/rows/index.ts';
import { type Result, runRows } from '../../conformance/run.ts';
import { mintAccessToken } from '../../lambda/shared/tokens/access-token.ts';
import { httpResponse, startLyingServer } from './lying-server.ts';

const VALID: Row = { name: 'valid plant', request: {}, expected: CREATED };
const created = httpResponse(200, '{"name":"Ficus","tag":"indoor"}');
const conflict = httpResponse(400, '{"error":1004,"message":"another plant has this id"}');
const invalid = httpResponse(400, '{"error":1002,"message":"id must be an int64"}');
const endless = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n';
const token = mintAccessToken().text;
const secret = token.slice(-64);
const jwt = `${'h'.repeat(36)}.${'p'.repeat(80)}.${Buffer.from(secret, 'hex').toString('base64url')}`;

describe('the report', () => {
  test.each([
    ['whole', token, (line: string) => line],
    ['across the end of the line', token, (line: string) => 'x'.repeat(167) + line],
    ['cut off by the server', token, (line: string) => line.slice(0, 70)],
    ['without its id', token, (line: string) => line.slice(-64)],
    ['that is a JWT', jwt, (line: string) => line],
    ['that is a JWT, cut off', jwt, (line: string) => line.slice(0, -4)],
  ])('contains nothing of the secret when a response repeats the token %s', async (_what, given, cut) => {
    const rows = ['<token>', '<wrong>'].map((which): Row => {
      const headers = [['Authorization', `Bearer ${which}`]] as const;
      return { name: which, request: { headers }, expected: CREATED };
    });
    const respond = (client: Socket, request: string) => {
      const [, echoed = ''] = /^Authorization: Bearer (.*)\r$/m.exec(request) ?? [];
      client.end(httpResponse(400, cut(echoed)));
    };
    const results = await resultsOf(rows, respond, { accessToken: given });
    const printed = JSON.stringify(results);
    const [, , secretPart = given.slice(-64)] = given.split('.');
    const fragments = Array.from(secretPart.slice(11), (_, at) => secretPart.slice(at, at + 12));
    expect(fragments.filter((fragment) => printed.includes(fragment))).toEqual([]);
    expect(results.map(({ received }) => received)).toEqual([
      expect.stringContaining('<token>'),
      expect.stringContaining('<wrong>'),
    ]);
  });

  test('contains a response unchanged that does not repeat the token', async () => {
    const results = await resultsOf([VALID], (client) => client.end(httpResponse(418, 'x'.repeat(12))));
    expect(results[0]?.received).toMatch(/^418, .*, x{12}$/);
  });
});

describe('a row differs', () => {
  const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
  test.each([
    ['a chunk size that is not hexadecimal', `${chunked}zz\r\n`],
    ['a negative chunk size', `${chunked}-4\r\nabcd`],
    ['a chunk that is longer than its size', `${chunked}1\r\nabc\r\n0\r\n\r\n`],
    ['a Content-Length that is not a number', 'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n'],
    ['no status', '220 smtp.example ESMTP\r\n\r\n'],
  ])('as malformed when the response has %s', async (_what, bytes) => {
    const results = await resultsOf([VALID, VALID], (client) => client.write(bytes));
    const malformed = { verdict: 'differs', received: expect.stringMatching(/^malformed response: /) };
    expect(results).toMatchObject([malformed, malformed]);
  });

  test.each([
    ['a body', `${created.replace(/h: \d+/, 'h: 9999999')}${'x'.repeat(2_000_000)}`],
    ['headers', `HTTP/1.1 200 OK\r\n${'X: x\r\n'.repeat(400_000)}`],
    ['interim responses', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(60_000)],
  ])('as malformed when the response has too many bytes of %s', async (_what, bytes) => {
    const [result] = await resultsOf([VALID], (client) => client.write(bytes));
    expect(result).toMatchObject({
      verdict: 'differs',
      received: expect.stringMatching(/^malformed response: /),
    });
  });

  test('when the service can no longer be reached', async () => {
    const server = await startLyingServer((client) => client.end(created));
    const baseUrl = new URL(server.url);
    const onProgress = (done: number) => {
      // Nobody listens there.
      if (done === 1) baseUrl.port = '1';
    };
    const rows = [VALID, VALID];
    const results = await runRows({
      baseUrl,
      token,
      rows,
      timeoutMs: 35_000,
      signal: neverAborted(),
      onProgress,
    });
    await server.stop();
    expect(results).toMatchObject([
      { verdict: 'same' },
      { verdict: 'differs', received: expect.stringContaining('ECONNREFUSED') },
    ]);
  });
});

test('a response after thousands of interim responses is compared like any other', async () => {
  const interim = 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(30_000);
  const results = await resultsOf([VALID], (client) => client.end(interim + created));
  expect(results).toMatchObject([{ verdict: 'same' }]);
});

describe('a row times out', () => {
  test.each<[string, (client: Socket) => void]>([
    ['never responds', () => {}],
    [
      'keeps sending',
      (client) => {
        client.write('HTTP/1.1 200 OK\r\nX: ');
        const timer = setInterval(() => client.write('x'), 10);
        client.on('close', () => clearInterval(timer));
      },
    ],
    ['sends a valid body that does not end', (client) => client.write(`${endless}{"name":"Ficus"}`)],
  ])('when the server %s', async (_what, respond) => {
    const results = await resultsOf([VALID], respond, { timeoutMs: 200 });
    expect(results).toMatchObject([{ verdict: 'differs', received: 'no response in 0.2 s' }]);
  });

  test('when a TLS handshake never ends', async () => {
    const results = await resultsOf([VALID], () => {}, { timeoutMs: 200, protocol: 'https:' });
    expect(results).toMatchObject([{ received: 'no response in 0.2 s' }]);
  });
});

test('three timeouts in a row end the run, and alternating ones do not', async () => {
  const never = resultsOf([VALID, VALID, VALID], () => {}, { timeoutMs: 50 });
  await expect(never).rejects.toThrow('no response to 3 requests in a row: check that the service runs');

  let requests = 0;
  const inTurn = (client: Socket) => requests++ % 2 === 0 || client.end(created);
  const rows = Array.from({ length: 6 }, () => VALID);
  await expect(resultsOf(rows, inTurn, { timeoutMs: 200 })).resolves.toHaveLength(6);
});

describe('the rows about the ends of int64', () => {
  const ends = subjects.flatMap(({ rows }) => rows).filter(({ name }) => /^id (2\^63-1|-2\^63)$/.test(name));
  const own = httpResponse(200, '{"name":"conformance"}');

  test.each([
    ['same', 'creates the plant, and then finds a duplicate', [own, own]],
    ['same', 'has another plant there', [conflict, conflict]],
    ['differs', 'creates the plant, and then finds a conflict', [own, conflict]],
    ['differs', 'rejects the id', [invalid, invalid]],
    ['differs', 'returns another plant', [created, created]],
  ])('have the verdict %s when the service %s', async (verdict, _what, responses) => {
    let count = 0;
    const results = await resultsOf(ends, (client) => client.end(responses[count++ % 2] ?? ''));
    expect(results.map((result) => result.verdict)).toEqual([verdict, verdict]);
  });
});

function neverAborted(): AbortSignal {
  return new AbortController().signal;
}

interface Given {
  readonly accessToken?: string;
  readonly timeoutMs?: number;
  readonly protocol?: string;
}

async function resultsOf(
  rows: readonly Row[],
  respond: (client: Socket, request: string) => void,
  { accessToken = token, timeoutMs = 35_000, protocol = 'http:' }: Given = {},
): Promise<readonly Result[]> {
  const server = await startLyingServer(respond);
  try {
    const baseUrl = new URL(server.url.replace('http:', protocol));
    const target = { baseUrl, token: accessToken, timeoutMs };
    return await runRows({ ...target, rows, signal: neverAborted(), onProgress: () => {} });
  } finally {
    await server.stop();
  }
}
