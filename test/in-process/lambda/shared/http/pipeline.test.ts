import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { lambdaContext } from '../../../../support/lambda-context.ts';
import { noteEvent, noteHandler } from '../../fixture-operation.ts';

// The pipeline responds 500 ms before the function would time out: here, after 50 ms or after 150 ms.
test.each([
  [550, 'returns 1500', [400, '1', 1500]],
  [650, 'waits', [200, undefined, undefined]],
])(
  'pipeline, while an operation needs 100 ms, and %i ms before the function would time out, %s',
  async (remainingMs, _what, expected) => {
    const handle = noteHandler(() => sleep(100));
    const { statusCode, headers, body } = await handle(noteEvent(), lambdaContext(remainingMs));
    expect([statusCode, headers?.['Retry-After'], JSON.parse(body).error]).toEqual(expected);
  },
);

test('pipeline logs that the function did not finish', async () => {
  const faults: unknown[][] = [];
  const log = { summary: () => {}, fault: (...fault: unknown[]) => faults.push(fault) };
  await noteHandler(() => sleep(100), log)(noteEvent(), lambdaContext(510));
  const message = 'the function did not finish in time';
  expect(faults).toEqual([['api', 1500, expect.objectContaining({ message })]]);
});
