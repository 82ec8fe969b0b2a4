import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { plantStore } from '../../../client/plant-store.ts';
import { UnexpectedResponseError } from '../../../client/service-response.ts';
import { tableRows } from '../../support/pages/code-blocks.ts';
import {
  type ScriptedResponse,
  startScriptedServer,
} from '../../support/servers/scripted-server.ts';
import { dereference, openapi } from '../../support/service/contract.ts';

beforeEach(() => {
  // Makes every random backoff zero, so there is no wait between attempts.
  jest.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => {
  jest.restoreAllMocks();
});

async function post(response: ScriptedResponse | 'none', signal?: AbortSignal) {
  const server = await startScriptedServer(response);
  const store = plantStore({ baseUrl: server.url, accessToken: 'plantstore_token' });
  const result = store.POST('/plants', {
    body: { id: 9007199254740993n, name: 'Ficus' },
    ...(signal && { signal }),
  });
  return { result, requests: server.requests };
}

test('no response has an int64, which the client and the snippets would round', () => {
  const operations = Object.values<object>(openapi.paths).flatMap((path) => Object.values(path));
  const responses = operations.map((operation) => operation.responses);
  // The replacer puts each schema in the place of its $ref.
  const schemas = JSON.stringify(responses, (_key, value) => value && dereference(value));
  expect(schemas.match(/.{200}"int64"/)).toBeNull();
});

const documentedErrors = tableRows('docs/errors.md')
  .filter(({ error }) => error !== undefined)
  .map(({ error, status = '', 'retry?': retry }) => ({
    error: Number(error),
    status: Number.parseInt(status, 10),
    attempts: retry === 'yes' ? 5 : 1,
  }));

test.each(documentedErrors)(
  'the client retries as docs/errors.md says, and returns the error $error after $attempts attempt(s)',
  async ({ error, status, attempts }) => {
    const body = { error, message: 'x'.repeat(10_000) };
    const headers = { 'Content-Type': 'application/json', 'Retry-After': '0' };
    const { result, requests } = await post({ status, headers, body: JSON.stringify(body) });
    await expect(result).resolves.toMatchObject({ error: body });
    const sent = {
      method: 'POST',
      path: '/plants',
      headers: { authorization: 'Bearer plantstore_token' },
      body: '{"id":9007199254740993,"name":"Ficus"}',
    };
    expect(requests).toMatchObject(Array.from({ length: attempts }, () => sent));
  },
);

const json = { 'Content-Type': 'application/json' };
const html = { 'Content-Type': 'text/html' };

test.each<[number, string, number, Record<string, string>, string]>([
  [1, 'a 403 from a proxy, with a name in the body', 403, json, '{"name":"AccessDenied"}'],
  [1, 'a 400 whose error is not a number', 400, json, '{"error":"invalid","message":"blocked"}'],
  [1, 'a 200 with a login page', 200, html, '<script>x = {"name":"a"}</script>'],
  [1, 'a redirect to a login page', 302, { ...html, Location: '/login' }, 'Sign in'],
  [1, 'a 200 whose name is not a string', 200, json, '{"name":5}'],
  [1, 'a 200 whose tag is not a string', 200, json, '{"name":"Ficus","tag":5}'],
  [1, 'a 200 with null as its body', 200, json, 'null'],
  [1, 'a 202 from a proxy that queues requests', 202, json, '{"name":"Ficus"}'],
  [5, 'a Retry-After that is a date', 503, { 'Retry-After': 'Fri, 31 Dec 1999 23:59:59 GMT' }, ''],
  [1, 'a Retry-After of 31 s', 503, { 'Retry-After': '31' }, ''],
])(
  'the client throws the status and body of a foreign response after %i attempt(s): %s',
  async (attempts, _what, status, headers, body) => {
    const { result, requests } = await post({ status, headers, body });
    const message = `expected a Plant or an Error body, got ${status} ${body}`;
    await expect(result).rejects.toThrow(UnexpectedResponseError);
    await expect(result).rejects.toMatchObject({ status, body, message });
    expect(requests).toHaveLength(attempts);
  },
);

test('the client makes five attempts of at most 30 s, and waits longer each time, if no response arrives', async () => {
  jest.mocked(Math.random).mockReturnValue(0.1);
  const start = performance.now();
  const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort());
  const { result } = await post('none');
  await expect(result).rejects.toThrow('no complete response in 5 attempts; check the network');
  expect(timeout.mock.calls).toEqual(Array(5).fill([30_000]));
  // The waits are 20, 40, 80 and 160 ms; a timer may end 1 ms early.
  expect(performance.now() - start).toBeGreaterThan(295);
});

test.each([
  ['of 64 MB', 'identity', Buffer.alloc(1024 * 1024)],
  ['compressed as a gzip bomb', 'gzip', gzipSync(Buffer.alloc(128 * 1024 * 1024))],
])(
  'the client stops reading a response after 6 MB, in each of five attempts: %s',
  async (_what, encoding, piece) => {
    let sent = 0;
    const body = function* () {
      for (let left = 64; left > 0; left -= 1) {
        sent += 1;
        yield piece;
      }
    };
    const { result } = await post({ status: 200, headers: { 'Content-Encoding': encoding }, body });
    const cause = expect.objectContaining({ message: 'the response is larger than 6 MB' });
    await expect(result).rejects.toMatchObject({ cause });
    expect(sent).toBeLessThanOrEqual(5 * 32);
  },
);

describe("aborting the caller's signal", () => {
  test('before the first request prevents all requests', async () => {
    const { result, requests } = await post({ status: 500, body: '' }, AbortSignal.abort());
    await expect(result).rejects.toMatchObject({ name: 'AbortError' });
    expect(requests).toEqual([]);
  });

  test('ends a request that has received no response yet', async () => {
    const abort = new AbortController();
    const { result, requests } = await post('none', abort.signal);
    const rejected = expect(result).rejects.toMatchObject({ name: 'AbortError' });
    while (requests.length === 0) await new Promise(setImmediate);
    abort.abort();
    await rejected;
    expect(requests).toHaveLength(1);
  });

  test.each([
    [1, '0'],
    [0, '30'],
  ])(
    'ends the wait before the next attempt, with Math.random() %i and Retry-After %s',
    async (random, seconds) => {
      const abort = new AbortController();
      // The client computes the backoff immediately before it waits, so this aborts the request during the wait.
      jest.mocked(Math.random).mockImplementation(() => {
        setTimeout(() => abort.abort(), 100);
        return random;
      });
      const headers = { 'Retry-After': seconds };
      const { result, requests } = await post({ status: 503, headers, body: '' }, abort.signal);
      await expect(result).rejects.toMatchObject({ name: 'AbortError' });
      expect(requests).toHaveLength(1);
    },
    10_000,
  );
});
