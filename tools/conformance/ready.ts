import { setTimeout as pause } from 'node:timers/promises';
import { UserError } from '@plant-store/emulator';
import { LAST_ID } from './ids.ts';
import type { Row } from './row.ts';
import { type RunOptions, responseTo, resultOf } from './run.ts';

const IN_A_ROW = 5;
const MAX_REQUESTS = 120;

/**
 * Waits until a newly deployed API responds to a row as expected five times in a row. For some seconds after a
 * deployment, API Gateway alternates between the previous and the new deployment.
 *
 * @throws UserError after 120 requests, or the socket's Error if there is no connection
 */
export async function waitUntilReady(row: Row, options: RunOptions, pauseMs = 1_000): Promise<void> {
  for (let good = 0, sent = 0; good < IN_A_ROW; sent += 1) {
    const { verdict, received } = resultOf(row, await responseTo(row, LAST_ID, options), options);
    good = verdict === 'same' ? good + 1 : 0;
    if (good === 0 && sent >= MAX_REQUESTS) {
      throw new UserError(
        `the API did not respond consistently to ${MAX_REQUESTS} requests; the last response: ${received}; run the ` +
          'command again or, if it still fails, look up the status in docs/errors.md',
      );
    }
    await pause(pauseMs);
    options.signal.throwIfAborted();
  }
}
