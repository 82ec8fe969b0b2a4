import type { Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { mintAccessToken } from '../../../lambda/shared/tokens/access-token.ts';
import { CREATED } from '../expectation.ts';
import type { Row } from '../row.ts';
import { subjects } from '../rows/index.ts';
import { type Result, runRows } from '../run.ts';
import { httpResponse, sendEndlessly, startLyingServer } from './lying-server.ts';

const VALID: Row = { name: 'valid plant', request: {}, expected: CREATED };
const own = httpResponse(200, '{"name":"conformance"}');
const conflict = httpResponse(400, '{"error":1004,"message":"another plant has this id"}');
const OK = 'HTTP/1.1 200 OK\r\n';
const SWITCH = 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n';
const token = mintAccessToken().text;
const secret = token.slice(-64);
const jwt = `${'h'.repeat(36)}.${'p'.repeat(80)}.${secret}`;

test.each([
  ['an access token', token],
  ['a JWT', jwt],
])('the report does not contain the secret of %s, even if a response repeats it', async (_what, given) => {
  const respond = (client: Socket, request: string) => client.end(httpResponse(400, request.slice(0, 400)));
  const [result] = await resultsOf([VALID], respond, given);
  expect(result?.received).toContain('<token>');
  expect(JSON.stringify(result)).not.toContain(secret);
});

test.each<[string, RegExp, (client: Socket) => void]>([
  ['closes the connection', /^no response$/, (client) => client.end()],
  ['never stops sending headers', /^malformed response: /, (client) => sendEndlessly(client, OK, 'X: x\r\n')],
  ['never stops sending a body', /^200, x+ …$/, (client) => sendEndlessly(client, `${OK}\r\n`, 'x')],
  ['switches the protocol', /^101, no body$/, (client) => client.write(`${SWITCH}\r\n`)],
])(
  'a row is reported as "differs", and at most 16 MB is read, if the server %s',
  async (_what, received, respond) => {
    let sent = 0;
    const results = await resultsOf([VALID], (client) => {
      client.on('close', () => {
        sent = client.bytesWritten;
      });
      respond(client);
    });
    expect(results).toMatchObject([{ verdict: 'differs', received: expect.stringMatching(received) }]);
    expect(sent).toBeLessThan(16 * 1024 * 1024);
  },
);

test('a comparison ends after three consecutive timeouts', async () => {
  let requests = 0;
  const respondOnce = (client: Socket) => ++requests === 2 && client.end(own);
  const running = resultsOf(Array(9).fill(VALID), respondOnce, token, 500);
  await expect(running).rejects.toThrow('no response within 0.5 s: check that the service is running');
  expect(requests).toBe(5);
});

test.each([
  ['same', 'already has a different plant with that id', [conflict, conflict]],
  ['differs', 'creates the plant, but responds to the retry with a conflict', [own, conflict]],
])(
  'the verdict on a row for the smallest or largest int64 is "%s" if the service %s',
  async (verdict, _what, responses) => {
    const ends = subjects
      .flatMap(({ rows }) => rows)
      .filter(({ name }) => /^id (2\^63-1|-2\^63)$/.test(name));
    let count = 0;
    const results = await resultsOf(ends, (client) => client.end(responses[count++ % 2] ?? ''));
    expect(ends).not.toEqual([]);
    expect(results.map((result) => result.verdict)).toEqual(ends.map(() => verdict));
  },
);

async function resultsOf(
  rows: readonly Row[],
  respond: (client: Socket, request: string) => void,
  accessToken = token,
  timeoutMs?: number,
): Promise<readonly Result[]> {
  const server = await startLyingServer(respond);
  const baseUrl = new URL(server.url);
  const { signal } = new AbortController();
  return runRows({ baseUrl, token: accessToken, timeoutMs, rows, signal }).finally(server.stop);
}
