import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { MAX_INT64 } from '../../lambda/shared/http/int64.ts';
import { UserError } from '../command-line/failures.ts';
import { type JsonObject, parseObject } from '../json.ts';
import { type RunOptions, sendRequest } from './request.ts';
import { type Expectation, FIRST_ID, type Row, type RowResponse } from './row.ts';

export interface Result {
  readonly row: Row;
  /** A settled row is the same as expected, or differs. A row without an expectation is open. */
  readonly verdict: 'same' | 'differs' | 'open';
  /** If there is no response, its status is 0, and its body says why. */
  readonly response: RowResponse;
}

/** Without this limit, a run against a service that does not respond could last longer than the token is valid. */
const MAX_WITHOUT_RESPONSE = 3;

/**
 * Sends the requests of all rows, one after another.
 *
 * @throws the socket's Error if the first row cannot reach the service, or the abort reason if the signal is aborted
 * @throws UserError if the service rejects the token, or if three requests get no response
 */
export async function* runRows(rows: readonly Row[], options: RunOptions): AsyncGenerator<Result> {
  // Random, because a repeated run must not find the items of the last one. Each row gets two ids.
  let id = FIRST_ID + BigInt(randomInt(Number(MAX_INT64 - FIRST_ID) - 2 * rows.length));
  let withoutResponse = 0;
  for (const row of rows) {
    const response = await responseTo(row, id, options).catch((error: Error) => {
      options.signal.throwIfAborted();
      if (error instanceof UserError) withoutResponse += 1;
      if (row === rows[0] || withoutResponse === MAX_WITHOUT_RESPONSE) throw error;
      return { status: 0, headers: {}, body: error.message };
    });
    // Stops here, because every row would differ with this token.
    if (row === rows[0] && response.status === 401) {
      throw new UserError(
        'the service rejected the access token with 401; with --url, set ACCESS_TOKEN to a valid token',
      );
    }
    yield { row, verdict: verdictOf(row, response), response };
    id += 2n;
  }
}

/**
 * Waits until a newly deployed API responds to a row as expected ten times in a row, or has received 120 requests. For
 * some seconds after a deployment, API Gateway alternates between the previous and the new deployment.
 */
export async function waitUntilReady(
  row: Row,
  options: RunOptions,
  sleepMs = 1_000,
): Promise<void> {
  for (let sent = 0, inARow = 0; sent < 120 && inARow < 10; sent += 1) {
    const isSame = verdictOf(row, await responseTo(row, FIRST_ID, options)) === 'same';
    inARow = isSame ? inARow + 1 : 0;
    if (!isSame) await sleep(sleepMs);
  }
}

async function responseTo(row: Row, id: bigint, options: RunOptions): Promise<RowResponse> {
  for (const body of row.before ?? []) await sendRequest({ body }, id, options);
  return sendRequest(row, id, options);
}

function verdictOf({ expected }: Row, response: RowResponse): Result['verdict'] {
  if (expected === undefined) return 'open';
  return [expected].flat().some((each) => isExpected(each, response)) ? 'same' : 'differs';
}

function isExpected(expected: Expectation, response: RowResponse): boolean {
  const { status = response.status, headers = {}, body = '', json, error } = expected;
  const fields = parseObject(response.body) ?? {};
  return (
    response.status === status &&
    Object.entries(headers).every(([name, value]) => response.headers[name] === value) &&
    response.body.includes(body) &&
    (json === undefined || isDeepStrictEqual(fields, { ...json })) &&
    (error === undefined || isErrorBody(fields, error))
  );
}

function isErrorBody({ error, message, ...others }: JsonObject, code: number): boolean {
  return error === code && typeof message === 'string' && Object.keys(others).length === 0;
}
