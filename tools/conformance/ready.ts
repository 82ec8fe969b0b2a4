import { setTimeout as pause } from 'node:timers/promises';
import { UserError } from '@plant-store/emulator';
import { describeExpectation, gatewayError, meets } from './expectation.ts';
import { exchange, TIMEOUT_MS } from './http-client.ts';
import { PROD_ID } from './ids.ts';
import { requestOf, tokensOf } from './request.ts';
import { JSON_TYPE } from './row.ts';
import { atTheEnd } from './rows/plants.ts';
import type { Target } from './run.ts';

const WITHOUT_TOKEN = { request: { headers: [JSON_TYPE] }, expected: gatewayError(401) };
/** The request for prod, where rejected requests could raise the alarm AuthorizeClientErrors. */
const ACCEPTED = atTheEnd(PROD_ID);

const IN_A_ROW = 5;

/**
 * Waits until a newly deployed API responds as expected five times in a row. For some seconds after a deployment, API
 * Gateway alternates between the previous and the new deployment.
 *
 * @throws UserError after two minutes
 * @throws the socket's Error if there is no connection, or the abort reason if the signal is aborted
 */
export async function waitUntilReady(
  { baseUrl, token }: Target,
  isProd: boolean,
  signal: AbortSignal,
  { pauseMs = 1_000, giveUpMs = 120_000, timeoutMs = TIMEOUT_MS } = {},
): Promise<void> {
  const { request, expected } = isProd ? ACCEPTED : WITHOUT_TOKEN;
  const sent = requestOf(request, { ...tokensOf(token), baseUrl, id: PROD_ID });
  const giveUpAt = performance.now() + giveUpMs;
  for (let good = 0; good < IN_A_ROW; ) {
    const response = await exchange(baseUrl, sent, signal, timeoutMs).catch((error) => {
      if (signal.aborted || !(error instanceof UserError)) throw error;
      return error.message;
    });
    if (typeof response !== 'string' && meets(response, expected)) good += 1;
    else if (performance.now() < giveUpAt) good = 0;
    else {
      throw new UserError(
        `the API did not respond consistently within ${giveUpMs / 1000} s: expected ${describeExpectation(expected)}, got ` +
          // Shows only the status, because the rest of the response may repeat the token.
          `${typeof response === 'string' ? response : response.status}; run the command again or, if it still fails, ` +
          'look up the status in docs/errors.md',
      );
    }
    await pause(pauseMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}
