import { type HttpResponse, send } from '../support/http.ts';

/** A client of a stage. */
export interface Client {
  readonly url: string;
  readonly token: string;
}

interface Kind {
  readonly request: (id: number, token: string) => Parameters<typeof send>[1];
  /** The status, and the error number where it isn't 200. */
  readonly expected: readonly [status: number, error?: number];
}

const json = { 'Content-Type': 'application/json' };
const withToken = (token: string) => ({ ...json, Authorization: `Bearer ${token}` });
const plant = (id: number, name: string) => JSON.stringify({ id, name, tag: 'load' });
const megabytes = (count: number) => 'x'.repeat(count * 1024 * 1024);

/** Good requests, and bad ones of each sort, with the answer that each must get however busy the stage is. */
const kinds: readonly Kind[] = [
  ...Array.from(
    { length: 5 },
    (): Kind => ({
      request: (id, token) => ({ headers: withToken(token), body: plant(id, `plant ${id}`) }),
      expected: [200],
    }),
  ),
  {
    request: (_id, token) => ({ headers: withToken(token), body: '{"id":' }),
    expected: [400, 1001],
  },
  {
    request: (id, token) => ({ headers: withToken(token), body: `{"id":"${id}","name":7}` }),
    expected: [400, 1002],
  },
  {
    request: (id, token) => ({ headers: withToken(token), body: plant(id, megabytes(4)) }),
    expected: [400, 1003],
  },
  {
    request: (id, token) => ({
      headers: { ...withToken(token), 'Content-Type': 'text/plain' },
      body: `${id}`,
    }),
    expected: [400, 1000],
  },
  { request: (id) => ({ headers: json, body: plant(id, 'no token') }), expected: [401, 2401] },
  { request: (_id, token) => ({ path: '/trees', headers: withToken(token) }), expected: [404, 2404] },
  {
    request: (_id, token) => ({ headers: withToken(token), body: megabytes(11) }),
    expected: [413, 2413],
  },
];

/**
 * Keeps sending requests of every kind.
 *
 * @param more whether to send another
 * @returns how many were answered as they must be
 * @throws Error where one was answered in another way, or outside the contract
 */
export async function sendMixed(
  { url, token }: Client,
  { concurrency, more }: { concurrency: number; more: (sent: number) => boolean },
): Promise<number> {
  let sent = 0;
  const client = async () => {
    while (more(sent)) {
      sent += 1;
      const id = sent;
      const kind = kinds[id % kinds.length];
      if (kind !== undefined) check(kind, await send(url, kind.request(id, token)));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, client));
  return sent;
}

function check({ expected: [status, error] }: Kind, response: HttpResponse): void {
  if (response.status !== status || response.body.error !== error) {
    throw new Error(`answered ${response.status} ${response.body.error}, not ${status} ${error ?? ''}`);
  }
}
