import { describe, expect, test } from '@jest/globals';
import {
  type ScriptedResponse,
  type ScriptedServer,
  startScriptedServer,
} from '../../../test/support/servers/scripted-server.ts';
import { masked } from '../report.ts';
import { type Row, rejected } from '../row.ts';
import { type Result, runRows, waitUntilReady } from '../run-rows.ts';

const token = `plantstore_0123456789abcdef_${'0'.repeat(64)}`;
const { signal } = new AbortController();

const asExpected = { status: 200, body: 'stored' };
const other = { status: 400, body: 'not stored' };
const row = (name: string): Row => ({ name, expected: asExpected });

let server: ScriptedServer | undefined;

const optionsOf = ({ url }: ScriptedServer) => ({ baseUrl: new URL(url), token, signal });

/** Runs rows against a server that sends these responses, and then repeats the last one. */
async function resultsOf(rows: readonly Row[], ...responses: (ScriptedResponse | 'none')[]) {
  server = await startScriptedServer(...responses);
  const results: Result[] = [];
  for await (const result of runRows(rows, { ...optionsOf(server), timeoutMs: 500 }))
    results.push(result);
  return results;
}

describe('the comparison', () => {
  test.each<[Result['verdict'], string, string, string?]>([
    ['same', 'in another order', '{"message":"another plant has this id","error":1004}'],
    ['differs', 'with another code', '{"error":1003,"message":"too large"}'],
    ['differs', 'with a message that is not a string', '{"error":1004,"message":1}'],
    ['differs', 'with another field', '{"error":1004,"message":"","cause":"x"}'],
    ['differs', 'with another header', '{"error":1004,"message":""}', 'text/plain'],
  ])(
    'reports "%s" for an Error body %s',
    async (verdict, _what, body, type = 'application/json') => {
      const expected = [rejected(1004), { status: 418 }];
      const headers = { 'Content-Type': type };
      const results = await resultsOf([{ name: 'conflict', expected }], {
        status: 400,
        headers,
        body,
      });
      expect(results).toMatchObject([{ verdict }]);
    },
  );

  test('reports a difference if a response breaks off', async () => {
    const breaksOff = function* () {
      yield Buffer.from('st');
      throw new Error('ends the connection');
    };
    const responses = [asExpected, { status: 200, body: breaksOff }, asExpected];
    const results = await resultsOf([row('first'), row('second'), row('third')], ...responses);
    expect(results).toMatchObject([
      { verdict: 'same' },
      { verdict: 'differs', response: { status: 0, body: 'aborted' } },
      { verdict: 'same' },
    ]);
  });

  test.each<[string, ScriptedResponse | 'none']>([
    ['does not respond', 'none'],
    ['does not end a body', { status: 200, body: endlessly }],
  ])('ends after three requests without a response if the server %s', async (_what, response) => {
    const rows = ['first', 'second', 'third', 'fourth', 'fifth'].map(row);
    await expect(resultsOf(rows, asExpected, response)).rejects.toThrow(
      'no response within 0.5 s: check that the service is running',
    );
    expect(server?.requests).toHaveLength(1 + 3);
  });
});

describe('waitUntilReady', () => {
  test('waits until ten responses in a row are as expected, and a second after any other', async () => {
    const nine = Array.from({ length: 9 }, () => asExpected);
    server = await startScriptedServer(...nine, other, asExpected);
    const start = performance.now();
    await waitUntilReady(row('valid'), optionsOf(server));
    expect(performance.now() - start).toBeGreaterThan(990);
    expect(server.requests).toHaveLength(9 + 1 + 10);
  });

  test('gives up after 120 requests', async () => {
    server = await startScriptedServer(other);
    await waitUntilReady(row('valid'), optionsOf(server), 0);
    expect(server.requests).toHaveLength(120);
  });
});

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
])('the report %s', (_what, text, expected) => {
  const baseUrl = new URL('https://ab12cd34ef.execute-api.eu-west-1.amazonaws.com/dev');
  expect(masked(text, { baseUrl, token })).toBe(expected);
});

test('the report masks nothing of a URL that contains no API id', () => {
  const baseUrl = new URL('http://127.0.0.1:3000');
  const text = `127 localhost ${baseUrl}plants`;
  expect(masked(text, { baseUrl, token })).toBe(text);
});

async function* endlessly() {
  yield Buffer.from('st');
  await new Promise(() => {});
}
