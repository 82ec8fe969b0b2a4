import type { Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { printable } from '../report.ts';
import { type Row, rejected, succeeded } from '../row.ts';
import { type Result, runRows, waitUntilReady } from '../run.ts';
import { httpResponse, startLyingServer } from './lying-server.ts';

const VALID: Row = { name: 'valid plant', expected: succeeded({ name: 'Ficus', tag: 'indoor' }) };
const own = httpResponse(200, '{"name":"Ficus","tag":"indoor"}');
const conflict = httpResponse(400, '{"error":1004,"message":"another plant has this id"}');
const OK = 'HTTP/1.1 200 OK\r\n';
const SWITCH = 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n';
const token = `plantstore_0123456789abcdef_${'0'.repeat(64)}`;
const { signal } = new AbortController();

test.each([
  [
    'masks the token, the API’s id and account ids',
    `arn:aws:execute-api:eu-west-1:123456789012:ab12cd34ef/dev AB12CD34EF_123456789012x 1234567890123 '${token}'`,
    "arn:aws:execute-api:eu-west-1:<account>:<api>/dev <api>_<account>x 1234567890123 '<token>'",
  ],
  [
    'removes control, bidirectional and invisible characters',
    'x\u001b[31m\r\n\ty\u202e\u200bz\u00ad\u{e0041}\n',
    'x [31m y z',
  ],
  [
    'masks the token before it shortens the text',
    `${'x'.repeat(239)}${token}`,
    `${'x'.repeat(239)}< …`,
  ],
])('%s in printed text', (_what, text, expected) => {
  const baseUrl = new URL('https://ab12cd34ef.execute-api.eu-west-1.amazonaws.com/dev');
  expect(printable(text, { baseUrl, token })).toBe(expected);
});

test.each<[string, RegExp, (client: Socket) => void]>([
  ['closes the connection', /^socket hang up$/, (client) => client.end()],
  [
    'never stops sending headers',
    /^Parse Error: /,
    (client) => sendEndlessly(client, OK, 'X: x\r\n'),
  ],
  ['never stops sending a body', /^x{1000}/, (client) => sendEndlessly(client, `${OK}\r\n`, 'x')],
  [
    'switches the protocol',
    /^the connection was closed /,
    (client) => client.write(`${SWITCH}\r\n`),
  ],
  ['redirects', /^$/, (client) => client.end('HTTP/1.1 302 X\r\nLocation: /\r\n\r\n')],
])(
  'reports a difference, and reads at most 16 MB, if the server %s',
  async (_what, received, lie) => {
    const clients: Socket[] = [];
    const results = await resultsOf([VALID, { ...VALID }], (client) => {
      if (clients.push(client) === 1) client.end(own);
      else lie(client);
    });
    expect(results.map(({ verdict }) => verdict)).toEqual(['same', 'differs']);
    expect(results[1]?.response.body).toMatch(received);
    expect(clients.map(({ bytesWritten }) => bytesWritten < 16 * 1024 * 1024)).toEqual([
      true,
      true,
    ]);
  },
);

test.each<[string, (client: Socket) => void]>([
  ['does not respond', () => {}],
  ['does not end a body', (client) => client.write(`${OK}\r\nx`)],
])(
  'ends the comparison after three requests without a response if the server %s',
  async (_what, lie) => {
    let requests = 0;
    const respond = (client: Socket) => (requests++ === 0 ? client.end(own) : lie(client));
    const rows = [VALID, ...Array.from({ length: 4 }, () => ({ ...VALID }))];
    await expect(resultsOf(rows, respond, 500)).rejects.toThrow(
      /^no response within 0.5 s: check that the service is running$/,
    );
    expect(requests).toBe(4);
  },
);

test.each<[string, string, string]>([
  ['same', 'in another order', '{"message":"another plant has this id","error":1004}'],
  ['differs', 'with another code', '{"error":1003,"message":"too large"}'],
  ['differs', 'with a message that is not a string', '{"error":1004,"message":1}'],
  ['differs', 'with another field', '{"error":1004,"message":"","cause":"x"}'],
  ['differs', 'that is not JSON', '"error":1004'],
])('reports "%s" for an Error body %s', async (verdict, _what, body) => {
  const row = { name: 'conflict', expected: [rejected(1004), { status: 418 }] };
  const results = await resultsOf([row], (client) => client.end(httpResponse(400, body)));
  expect(results.map((result) => result.verdict)).toEqual([verdict]);
});

test.each([
  ['until it gives ten expected responses in a row', 10, 11],
  ['for at most 120 requests', 9, 120],
])('waits for an API %s', async (_what, inARow, expected) => {
  let requests = 0;
  const server = await startLyingServer((client) => {
    client.end(requests++ % (inARow + 1) === 0 ? conflict : own);
  });
  await waitUntilReady(VALID, { baseUrl: new URL(server.url), token, signal }, 0).finally(
    server.stop,
  );
  expect(requests).toBe(expected);
});

async function resultsOf(
  rows: readonly Row[],
  respond: (client: Socket) => void,
  timeoutMs = 5_000,
) {
  const server = await startLyingServer(respond);
  const results: Result[] = [];
  try {
    const options = { baseUrl: new URL(server.url), token, signal, timeoutMs };
    for await (const result of runRows(rows, options)) results.push(result);
  } finally {
    await server.stop();
  }
  return results;
}

/** Sends `head`, then `piece` until the client closes the connection, as fast as the client reads. */
function sendEndlessly(client: Socket, head: string, piece: string): void {
  const pieces = piece.repeat(2 ** 16 / piece.length);
  const sendMore = () => {
    while (!client.destroyed && client.write(pieces, 'latin1'));
  };
  client.on('drain', sendMore).write(head, sendMore);
}
