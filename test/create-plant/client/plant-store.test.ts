import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { plantStore } from '../../../client/plant-store.ts';
import { UnexpectedResponseError } from '../../../client/service-response.ts';
import {
  type ScriptedResponse,
  type ScriptedServer,
  startScriptedServer,
} from '../../support/servers/scripted-server.ts';
import {
  documentedErrors,
  type Failure,
  frontEndResponses,
  longRetryAfters,
  middleboxResponses,
} from './failures.ts';

const servers: ScriptedServer[] = [];
beforeEach(() => {
  // Makes every random backoff zero, so there is no wait between attempts.
  jest.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(async () => {
  jest.restoreAllMocks();
  await Promise.all(servers.splice(0).map((server) => server.stop()));
});

async function post(response: ScriptedResponse | 'none', signal?: AbortSignal) {
  const server = await startScriptedServer(response);
  servers.push(server);
  const store = plantStore({ baseUrl: server.url, accessToken: 'plantstore_token' });
  const result = store.POST('/plants', {
    body: { id: 9007199254740993n, name: 'Ficus' },
    ...(signal && { signal }),
  });
  return { result, requests: server.requests };
}

const expectedRequests = ({ retried }: Failure) =>
  Array.from({ length: retried ? 5 : 1 }, () => ({
    method: 'POST',
    path: '/plants',
    body: '{"id":9007199254740993,"name":"Ficus"}',
  }));

test('the client returns a Plant as data', async () => {
  const { result } = await post({ status: 200, body: '{"name":"Ficus"}' });
  await expect(result).resolves.toMatchObject({ data: { name: 'Ficus' } });
});

test.each(documentedErrors)(
  'the client returns $title as an error, and retries if docs/errors.md says so',
  async (failure) => {
    const { result, requests } = await post(failure);
    const { data, error } = await result;
    expect([data, error]).toEqual([undefined, JSON.parse(failure.body)]);
    expect(requests).toMatchObject(expectedRequests(failure));
  },
);

describe.each([[frontEndResponses], [middleboxResponses], [longRetryAfters]])(
  'the client',
  (failures) => {
    test.each(failures)(
      'throws an error with the status and body if the response did not come from the service: $title',
      async (failure) => {
        const { result, requests } = await post(failure);
        const { status, body } = failure;
        await expect(result).rejects.toThrow(UnexpectedResponseError);
        await expect(result).rejects.toMatchObject({ status, body });
        await expect(result).rejects.toThrow(`got ${status} ${body.slice(0, 40)}`);
        expect(requests).toMatchObject(expectedRequests(failure));
      },
    );
  },
);

// `fetch` rejects a 407 as if there were no response (Fetch standard, HTTP-network fetch).
test('the client mentions a possible 407 from a proxy if fetch rejects five times', async () => {
  const { result, requests } = await post({
    status: 407,
    body: '<title>Proxy Authentication Required</title>',
  });
  await expect(result).rejects.toThrow('407');
  expect(requests).toHaveLength(5);
});

test.each([
  ['of 64 MB', 'identity', Buffer.alloc(1024 * 1024), 5 * 32],
  [
    'of 256 MB, compressed as a gzip bomb,',
    'gzip',
    gzipSync(Buffer.alloc(4 * 1024 * 1024)),
    5 * 64,
  ],
])(
  'the client stops reading a response %s after 6 MB, in each of five attempts',
  async (_what, encoding, piece, mostSent) => {
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
    expect(sent).toBeLessThanOrEqual(mostSent);
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

  test('ends the wait before the next attempt', async () => {
    const abort = new AbortController();
    // The client computes the backoff immediately before it waits, so this aborts the request during the wait.
    jest.mocked(Math.random).mockImplementation(() => {
      queueMicrotask(() => abort.abort());
      return 0;
    });
    const headers = { 'Retry-After': '30' };
    const { result, requests } = await post({ status: 503, headers, body: '' }, abort.signal);
    await expect(result).rejects.toMatchObject({ name: 'AbortError' });
    expect(requests).toHaveLength(1);
  }, 10_000);
});
