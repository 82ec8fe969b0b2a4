import type { Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { mintAccessToken } from '../../../lambda/shared/tokens/access-token.ts';
import { changedAssembly } from '../../../test/support/changed-assembly.ts';
import { startService } from '../../../test/support/service.ts';
import { CREATED } from '../expectation.ts';
import type { Row } from '../row.ts';
import { subjects } from '../rows/index.ts';
import { type Result, resultOf, runRows, waitUntilReady } from '../run.ts';
import { httpResponse, sendEndlessly, startLyingServer } from './lying-server.ts';

const VALID: Row = { name: 'valid plant', request: {}, expected: CREATED };
const allRows = subjects.flatMap((subject) => subject.rows);
const { signal } = new AbortController();
const own = httpResponse(200, '{"name":"conformance"}');
const conflict = httpResponse(400, '{"error":1004,"message":"another plant has this id"}');
const OK = 'HTTP/1.1 200 OK\r\n';
const SWITCH = 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n';
const token = mintAccessToken().text;
const secret = token.slice(-64);

test.each([
  ['an access token', token],
  ['a JWT', `${'h'.repeat(36)}.${'p'.repeat(80)}.${secret}`],
])('masks the secret of %s, the API’s id and account ids in a response', (_what, given) => {
  const baseUrl = new URL('https://ab12cd34ef.execute-api.eu-west-1.amazonaws.com/dev');
  const arn = 'arn:aws:execute-api:eu-west-1:123456789012:ab12cd34ef/dev';
  const body = `${arn} AB12CD34EF_123456789012x 1234567890123 ${given}`;
  const { received } = resultOf(VALID, { status: 403, headers: {}, body }, { baseUrl, token: given });
  expect(received).not.toContain(secret);
  expect(received).toMatch(
    /^403, arn:aws:execute-api:eu-west-1:<account>:<api>\/dev <api>_<account>x 1234567890123 \S*<token>$/,
  );
});

test.each<[string, RegExp, (client: Socket) => void]>([
  ['closes the connection', /^socket hang up$/, (client) => client.end()],
  ['never stops sending headers', /^Parse Error: /, (client) => sendEndlessly(client, OK, 'X: x\r\n')],
  ['never stops sending a body', /^200, x+ …$/, (client) => sendEndlessly(client, `${OK}\r\n`, 'x')],
  ['switches the protocol', /^101, no body$/, (client) => client.write(`${SWITCH}\r\n`)],
  ['redirects', /^302, no body$/, (client) => client.end('HTTP/1.1 302 X\r\nLocation: /\r\n\r\n')],
])('reports a difference, and reads at most 16 MB, if the server %s', async (_what, received, lie) => {
  const clients: Socket[] = [];
  const results = await resultsOf([VALID, VALID], (client) => {
    if (clients.push(client) === 1) client.end(own);
    else lie(client);
  });
  expect(results[1]).toMatchObject({ verdict: 'differs', received: expect.stringMatching(received) });
  expect(clients.map(({ bytesWritten }) => bytesWritten < 16 * 1024 * 1024)).toEqual([true, true]);
});

test('ends the comparison after three timeouts', async () => {
  let requests = 0;
  const respondOnce = (client: Socket) => ++requests === 1 && client.end(own);
  const running = resultsOf(Array(9).fill(VALID), respondOnce, 500);
  await expect(running).rejects.toThrow('no response within 0.5 s: check that the service is running');
  expect(requests).toBe(4);
});

test.each([
  ['same', 'already has a different plant with that id', [conflict, conflict]],
  ['differs', 'creates the plant, but responds to the retry with a conflict', [own, conflict]],
])('reports "%s" for the smallest and largest int64 if the service %s', async (verdict, _what, responses) => {
  const ends = allRows.filter(({ twice }) => twice);
  let count = 0;
  const results = await resultsOf(ends, (client) => client.end(responses[count++ % 2] ?? ''));
  // Compares sets, because there is only one result if the contract rejects the smallest int64.
  expect(new Set(results.map((result) => result.verdict))).toEqual(new Set([verdict]));
});

/** Returns how many requests are sent to an API that repeats one wrong response and then `inARow` expected ones. */
async function requestsUntilReady(inARow: number): Promise<number> {
  let requests = 0;
  const server = await startLyingServer((client) => {
    client.end(requests++ % (inARow + 1) === 0 ? conflict : own);
  });
  const row: Row = { name: 'early', request: {}, expected: { status: 200 } };
  await waitUntilReady(row, { baseUrl: new URL(server.url), token, signal }, 0).finally(server.stop);
  return requests;
}

test('accepts an API after five expected responses in a row', async () => {
  await expect(requestsUntilReady(5)).resolves.toBe(6);
});

test('gives up after 120 requests if an API never gives five expected responses in a row', async () => {
  await expect(requestsUntilReady(4)).rejects.toThrow(
    /^the API did not respond consistently to 120 requests; the last response: 400, .*; run the command again/,
  );
});

/** Excludes the rows with large bodies, which take seconds. */
const rows = allRows.filter(({ request }) => (request.body ?? '').length < 100_000);

test('reports exactly the rows that differ, given a stack whose 401 has no WWW-Authenticate and whose unknown routes return 403', async () => {
  const assembly = await changedAssembly((find) => {
    for (const { Properties } of find('AWS::ApiGateway::GatewayResponse')) {
      if (Properties.StatusCode === '401') delete Properties.ResponseParameters;
      if (Properties.StatusCode === '404') Properties.StatusCode = '403';
    }
  });
  const service = await startService({ assembly: assembly.folder });
  const baseUrl = new URL(service.emulator.url);
  const results = await all(runRows(rows, { baseUrl, token: service.token, signal }));
  await service.stop();
  await assembly.remove();

  const expected = rows.filter((row) => [2401, 2404].includes(row.expected?.error ?? 0));
  expect(expected.length).toBeGreaterThan(10);
  expect(results.filter(({ verdict }) => verdict === 'differs').map(({ row }) => row)).toEqual(expected);
}, 60_000);

async function resultsOf(
  rows: readonly Row[],
  respond: (client: Socket, request: string) => void,
  timeoutMs = 5_000,
) {
  const server = await startLyingServer(respond);
  const baseUrl = new URL(server.url);
  return all(runRows(rows, { baseUrl, token, timeoutMs, signal })).finally(server.stop);
}

async function all(results: AsyncIterable<Result>): Promise<Result[]> {
  const list: Result[] = [];
  for await (const result of results) list.push(result);
  return list;
}
