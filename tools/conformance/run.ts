import { UserError } from '@plant-store/emulator';
import { describeExpectation, describeResponse, type Expectation, meets, shortened } from './expectation.ts';
import { exchange, type HttpResponse } from './http-client.ts';
import { idPairs } from './ids.ts';
import { redact, requestOf, tokensOf, type Values } from './request.ts';
import type { Row } from './row.ts';

/**
 * The outcome of a row. A settled behavior is the same as expected, or differs. The response to an open question is
 * foreseen if it is one of the row's possible responses; otherwise, it is unforeseen. A row that needs a stage in
 * the base URL is skipped if there is none.
 */
export type Verdict = 'same' | 'differs' | 'foreseen' | 'unforeseen' | 'skipped';

export interface Result {
  readonly name: string;
  readonly verdict: Verdict;
  /** The response in one line, or why there is none. */
  readonly received?: string;
  readonly expected?: string;
  /** What the response to an open question means. */
  readonly means?: string;
  /** Who recorded a settled behavior. */
  readonly source?: string;
}

export interface Target {
  readonly baseUrl: URL;
  readonly token: string;
}

export interface RunOptions extends Target {
  readonly rows: readonly Row[];
  /** The timeout for each request, including its connection. */
  readonly timeoutMs?: number | undefined;
  readonly signal: AbortSignal;
  readonly onProgress?: (done: number, row: Row) => void;
}

/**
 * The number of consecutive timeouts after which the run ends. Without this limit, a run against a service that does
 * not respond could last longer than the token is valid.
 */
const MAX_TIMEOUTS = 3;

/**
 * Sends the requests of all rows, one after another. If a request gets no response, the result of its row says why.
 *
 * @throws the socket's Error if the first row cannot reach the service, or the abort reason if the signal is aborted
 * @throws UserError if the service rejects the token, or after three consecutive timeouts
 */
export async function runRows(options: RunOptions): Promise<Result[]> {
  const { rows, onProgress, signal, baseUrl, token } = options;
  const nextId = idPairs();
  const tokens = tokensOf(token);
  const results: Result[] = [];
  let timeouts = 0;
  for (const row of rows) {
    onProgress?.(results.length, row);
    // The base URL of the emulator or of a custom domain contains no stage.
    if (row.needsStage && baseUrl.pathname === '/') {
      results.push({ name: row.name, verdict: 'skipped' });
      continue;
    }
    let timedOut = false;
    const response = await responseTo(row, { ...tokens, baseUrl, id: nextId() }, options).catch((error) => {
      signal.throwIfAborted();
      timedOut = error instanceof UserError;
      if (timedOut ? timeouts + 1 === MAX_TIMEOUTS : results.length === 0) throw error;
      return error instanceof Error ? error.message : String(error);
    });
    timeouts = timedOut ? timeouts + 1 : 0;
    // Stops here, because every row would differ with this token.
    if (results.length === 0 && typeof response !== 'string' && response.status === 401) {
      throw new UserError(
        'the service rejected the access token with 401; with --url, set ACCESS_TOKEN to a valid token; with --stage ' +
          'or --local, check that the authorizer reads the table that the stack output TokensTableName names',
      );
    }
    results.push(resultOf(row, response, token));
  }
  return results;
}

/** @returns the response, or a string that explains why there is none or that the two responses differ */
async function responseTo(
  { before = [], request, twice }: Row,
  values: Values,
  { signal, timeoutMs }: RunOptions,
): Promise<HttpResponse | string> {
  const send = (each: Row['request']) => exchange(values.baseUrl, requestOf(each, values), signal, timeoutMs);
  for (const body of before) await send({ body });
  const response = await send(request);
  if (!twice || typeof response === 'string') return response;
  const again = await send(request);
  if (typeof again === 'string') return again;
  const same = response.status === again.status && response.body === again.body;
  return same ? response : `${describeResponse(response)}; then ${describeResponse(again)}`;
}

function resultOf(row: Row, response: HttpResponse | string, token: string): Result {
  const { name } = row;
  const line = typeof response === 'string' ? response : describeResponse(response);
  // Shortens the text last, because a token that was cut in two would not be redacted.
  const received = shortened(redact(line, token));
  const matches = (expectation: Expectation) => typeof response !== 'string' && meets(response, expectation);
  if ('expected' in row) {
    const verdict = matches(row.expected) ? 'same' : 'differs';
    const source = row.source ?? 'the contract';
    return { name, verdict, received, expected: describeExpectation(row.expected), source };
  }
  const [, means] = row.outcomes.find(([expectation]) => matches(expectation)) ?? [];
  if (means !== undefined) return { name, verdict: 'foreseen', received, means };
  const expected = row.outcomes.map(([expectation]) => describeExpectation(expectation)).join('; or ');
  return { name, verdict: 'unforeseen', received, expected, means: UNFORESEEN };
}

const UNFORESEEN =
  "the row does not list this response; add it to the row's possible responses in tools/conformance/rows/";
