import { describeExpectation, describeResponse, meets } from './expectation.ts';
import { exchange } from './http-client.ts';
import type { HttpResponse } from './http-response.ts';
import { idPairs } from './ids.ts';
import { requestBytes } from './request.ts';
import type { Row } from './row.ts';

/**
 * What a row showed. A settled behaviour is the same or differs; of an open question, one of the possible responses
 * was seen, or another one, which nobody foresaw.
 */
export type Verdict = 'same' | 'differs' | 'seen' | 'unforeseen' | 'needs a deployment';

export interface Result {
  readonly name: string;
  readonly verdict: Verdict;
  /** The response in one line. */
  readonly received?: string;
  readonly expected?: string;
  /** Of an open question: what follows from the response. */
  readonly means?: string;
  /** Of a settled behaviour: who recorded it. */
  readonly source?: string;
}

export interface Target {
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
export async function runRows({ rows, onProgress, signal, ...target }: RunOptions): Promise<Result[]> {
  const nextId = idPairs();
  const results: Result[] = [];
  for (const row of rows) {
    onProgress(results.length, row);
    // The emulator has no stage in its base URL.
    const skipped = row.needsStage && target.baseUrl.pathname === '/';
    results.push(
      skipped
        ? { name: row.name, verdict: 'needs a deployment' }
        : resultOf(row, await responseTo(row, { ...target, id: nextId() }, signal), target.token),
    );
    signal.throwIfAborted();
  }
  return results;
}

async function responseTo(
  { before = [], request }: Row,
  values: Parameters<typeof requestBytes>[1],
  signal: AbortSignal,
): Promise<HttpResponse | undefined> {
  const send = (each: Row['request']) => exchange(values.baseUrl, requestBytes(each, values), signal);
  for (const body of before) await send({ body });
  return send(request);
}

function resultOf(row: Row, response: HttpResponse | undefined, token: string): Result {
  const { name } = row;
  // AWS repeats the Authorization header in some messages.
  const received = response ? describeResponse(response).replaceAll(token, '<token>') : 'no response';
  if ('expected' in row) {
    const verdict = response && meets(response, row.expected) ? 'same' : 'differs';
    const source = row.source ?? 'the contract';
    return { name, verdict, received, expected: describeExpectation(row.expected), source };
  }
  const [, means] = row.outcomes.find(([seen]) => response && meets(response, seen)) ?? [];
  if (means !== undefined) return { name, verdict: 'seen', received, means };
  const expected = row.outcomes.map(([seen]) => describeExpectation(seen)).join('; or ');
  return { name, verdict: 'unforeseen', received, expected, means: UNFORESEEN };
}

const UNFORESEEN = 'add it to docs/proven-in-aws.md and to the row in conformance/rows/';
