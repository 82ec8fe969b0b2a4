import { setTimeout as pause } from 'node:timers/promises';
import { OperatorError } from '../tokens/errors.ts';
import { describeExpectation, type Expectation, gatewayError, meets } from './expectation.ts';
import { exchange, NoResponseInTimeError } from './http-client.ts';
import { PROD_ID } from './ids.ts';
import { type HttpRequest, requestOf } from './request.ts';
import { JSON_TYPE } from './row.ts';
import { atTheEnd } from './rows/plants.ts';
import type { Target } from './run.ts';
import { tokensOf } from './token.ts';

const WITHOUT_TOKEN = { request: { headers: [JSON_TYPE] }, expected: gatewayError(401) };
/** In prod: rejections would raise AuthorizeClientErrors. */
const ACCEPTED = atTheEnd('', PROD_ID);

/** API Gateway changes for some seconds after its stack is complete, and meanwhile responds now as before, now as after. */
const IN_A_ROW = 5;
const PAUSE_MS = 1_000;
const GIVE_UP_MS = 2 * 60 * 1000;
const TIMEOUT_MS = 35_000;

interface Waiting {
  /** Whether a rejected request would send a mail. */
  readonly isProd: boolean;
  readonly signal: AbortSignal;
  readonly pauseMs?: number;
  readonly giveUpMs?: number;
}

/**
 * Waits until an API that was just deployed responds as it should, five times in a row.
 *
 * @throws OperatorError after two minutes
 * @throws Error of the socket if there is no connection, and the signal's reason if it is aborted
 */
export async function waitUntilReady({ baseUrl, token }: Target, waiting: Waiting): Promise<void> {
  const { isProd, signal, pauseMs = PAUSE_MS, giveUpMs = GIVE_UP_MS } = waiting;
  const { request, expected } = isProd ? ACCEPTED : WITHOUT_TOKEN;
  const sent = requestOf(request, { ...tokensOf(token), baseUrl, id: PROD_ID });
  const giveUpAt = performance.now() + giveUpMs;
  for (let good = 0; good < IN_A_ROW; ) {
    const seen = await wrongResponse(baseUrl, sent, expected, signal);
    signal.throwIfAborted();
    good = seen === undefined ? good + 1 : 0;
    if (performance.now() > giveUpAt) {
      throw new OperatorError(
        `the API did not settle in ${giveUpMs / 1000} s: expected ${describeExpectation(expected)}, ${IN_A_ROW} times in a row, ` +
          `got ${seen ?? 'it and others'}; run the command again, then see "If a deployment fails" in docs/operations.md`,
      );
    }
    await pause(pauseMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

/** @returns undefined if the response is as expected, and nothing that the server sent but the status */
async function wrongResponse(
  baseUrl: URL,
  request: HttpRequest,
  expected: Expectation,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const response = await exchange(baseUrl, request, signal, TIMEOUT_MS);
    if (typeof response === 'string') return response;
    return meets(response, expected) ? undefined : `${response.status}`;
  } catch (error) {
    if (error instanceof NoResponseInTimeError) return error.message;
    throw error;
  }
}
