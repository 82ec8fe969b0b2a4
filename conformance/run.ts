import { describeExpectation, describeResponse, meets } from './expectation.ts';
import { exchange, type HttpResponse } from './http-client.ts';
import { idPairs } from './ids.ts';
import { requestBytes } from './request.ts';
import type { OpenRow, Row, SettledRow } from './row.ts';

/**
 * What a row showed. `same` and `differs`: a settled behaviour. `seen`: one of the possible responses to an open
 * question; `unforeseen`: none of them.
 */
export type Verdict = 'same' | 'differs' | 'seen' | 'unforeseen' | 'needs a deployment' | 'by hand';

export interface Result {
  readonly name: string;
  readonly verdict: Verdict;
  /** The response in one line. */
  readonly received?: string;
  readonly expected?: string;
  /** What follows from it. */
  readonly means?: string;
  readonly source?: string | undefined;
}

export interface Target {
  /** Without a trailing slash. */
  readonly baseUrl: URL;
  readonly token: string;
}

export interface RunOptions extends Target {
  readonly rows: readonly Row[];
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, row: Row) => void;
}

/**
 * Sends the requests of all rows, one after the other.
 *
 * @throws Error of the socket if the service cannot be reached, and the signal's reason if it is aborted
 */
export async function runRows({ rows, onProgress, ...options }: RunOptions): Promise<readonly Result[]> {
  const nextId = idPairs();
  const results: Result[] = [];
  for (const row of rows) {
    onProgress(results.length, row);
    results.push(await runRow(row, nextId(), options));
    options.signal.throwIfAborted();
  }
  return results;
}

async function runRow(
  row: Row,
  id: bigint,
  { baseUrl, token, signal }: Target & { readonly signal: AbortSignal },
): Promise<Result> {
  const { name } = row;
  if ('todo' in row) return { name, verdict: 'by hand', expected: row.todo, means: row.means };
  if (row.needsStage && baseUrl.pathname === '/') return { name, verdict: 'needs a deployment' };
  let response: HttpResponse | undefined;
  for (const request of [...(row.before ?? []).map((body) => ({ body })), row.request]) {
    response = await exchange(baseUrl, requestBytes(request, { baseUrl, token, id }), signal);
  }
  // AWS repeats the Authorization header in some messages.
  const received = describeResponse(response).replaceAll(token, '<token>');
  return 'expected' in row ? settled(row, response, received) : open(row, response, received);
}

function settled(
  { name, expected, source }: SettledRow,
  response: HttpResponse | undefined,
  received: string,
): Result {
  const verdict = meets(response, expected) ? 'same' : 'differs';
  return { name, verdict, received, expected: describeExpectation(expected), source };
}

function open({ name, outcomes }: OpenRow, response: HttpResponse | undefined, received: string): Result {
  const outcome = outcomes.find(({ seen }) => meets(response, seen));
  const expected = outcomes.map(({ seen }) => describeExpectation(seen)).join('; or ');
  if (outcome === undefined) return { name, verdict: 'unforeseen', received, expected, means: UNFORESEEN };
  return { name, verdict: 'seen', received, expected, means: outcome.means };
}

const UNFORESEEN = 'add it to the outcomes in conformance/rows/ and to docs/errors.md';
