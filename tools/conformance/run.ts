import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { UserError } from '@plant-store/emulator';
import { describeResponse, meets, shortened } from './expectation.ts';
import { type HttpResponse, sendRequest } from './http-client.ts';
import { FIRST_ID, LAST_ID } from './ids.ts';
import { masked, requestOf, type Target, tokensOf, type Values } from './request.ts';
import type { Row } from './row.ts';

/**
 * A settled row is the same as expected, or differs. A row without an expectation is open. A row that needs a stage in
 * the base URL is skipped if there is none.
 */
export type Verdict = 'same' | 'differs' | 'open' | 'skipped';

export interface Result {
  readonly row: Row;
  readonly verdict: Verdict;
  /** The response in one line, or why there is none. Secrets and ids are masked, control characters removed. */
  readonly received: string;
}

export interface RunOptions extends Target {
  /** The timeout for each request, including its connection. */
  readonly timeoutMs?: number;
  readonly signal: AbortSignal;
}

/** Without this limit, a run against a service that does not respond could last longer than the token is valid. */
const MAX_TIMEOUTS = 3;
const READY_AFTER_SAME = 5;
const MAX_REQUESTS_UNTIL_READY = 120;

/**
 * Sends the requests of all rows, one after another. If a request gets no response, the result of its row says why.
 *
 * @throws the socket's Error if the first row cannot reach the service, or the abort reason if the signal is aborted
 * @throws UserError if the service rejects the token, or after three timeouts
 */
export async function* runRows(rows: readonly Row[], options: RunOptions): AsyncGenerator<Result> {
  const { signal, baseUrl } = options;
  // Random, so that a run can be repeated. Each row gets two ids, and none is the largest int64, which one row uses.
  let id = FIRST_ID + BigInt(randomInt(854_770_000));
  let timeouts = 0;
  for (const [index, row] of rows.entries()) {
    id += 2n;
    // The base URL of the emulator or of a custom domain contains no stage.
    if (row.needsStage && baseUrl.pathname === '/') {
      yield { row, verdict: 'skipped', received: 'not sent, because the base URL contains no stage' };
      continue;
    }
    const response = await responseTo(row, id, options).catch((error: Error) => {
      signal.throwIfAborted();
      if (error instanceof UserError) timeouts += 1;
      if (timeouts === MAX_TIMEOUTS || index === 0) throw error;
      return error.message;
    });
    // Stops here, because every row would differ with this token.
    if (index === 0 && typeof response !== 'string' && response.status === 401) {
      throw new UserError(
        'the service rejected the access token with 401; with --url, set ACCESS_TOKEN to a valid token; with --stage ' +
          'or --local, check that the authorizer reads the table that the stack output TokensTableName names',
      );
    }
    yield resultOf(row, response, options);
  }
}

/**
 * Waits until a newly deployed API responds to a row as expected five times in a row. For some seconds after a
 * deployment, API Gateway alternates between the previous and the new deployment.
 *
 * @throws UserError after 120 requests, or the socket's Error if there is no connection
 */
export async function waitUntilReady(row: Row, options: RunOptions, pauseMs = 1_000): Promise<void> {
  for (let good = 0, sent = 0; good < READY_AFTER_SAME; sent += 1) {
    const { verdict, received } = resultOf(row, await responseTo(row, LAST_ID, options), options);
    good = verdict === 'same' ? good + 1 : 0;
    if (good === 0 && sent >= MAX_REQUESTS_UNTIL_READY) {
      throw new UserError(
        `the API did not respond consistently to ${MAX_REQUESTS_UNTIL_READY} requests; the last response: ${received}; run the ` +
          'command again or, if it still fails, look up the status in docs/errors.md',
      );
    }
    await pause(pauseMs);
    options.signal.throwIfAborted();
  }
}

/** @returns the response, or a string that describes both responses if they differ */
async function responseTo(
  { before = [], request, twice }: Row,
  id: bigint,
  { baseUrl, token, signal, timeoutMs }: RunOptions,
): Promise<HttpResponse | string> {
  const values: Values = { ...tokensOf(token), baseUrl, id };
  const send = (each: Row['request']) => sendRequest(baseUrl, requestOf(each, values), signal, timeoutMs);
  for (const body of before) await send({ body });
  const response = await send(request);
  if (!twice) return response;
  const again = await send(request);
  const same = response.status === again.status && response.body === again.body;
  return same ? response : `${describeResponse(response)}; then ${describeResponse(again)}`;
}

export function resultOf(row: Row, response: HttpResponse | string, target: Target): Result {
  const line = typeof response === 'string' ? response : describeResponse(response);
  // Shortens the text last, because a token that was cut in two would not be masked.
  const received = shortened(masked(line, target));
  if (row.expected === undefined) return { row, verdict: 'open', received };
  const isSame = typeof response !== 'string' && meets(response, row.expected);
  return { row, verdict: isSame ? 'same' : 'differs', received };
}
