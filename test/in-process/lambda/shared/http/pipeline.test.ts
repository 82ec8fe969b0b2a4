import { setTimeout as sleep } from 'node:timers/promises';
import { expect, jest, test } from '@jest/globals';
import { withTimeout } from '../../../../../lambda/shared/dynamodb/client.ts';
import { lambdaContext } from '../../../../support/lambda-context.ts';
import { noteEvent, noteHandler } from '../../fixture-operation.ts';

// The pipeline responds 500 ms before the function would time out: here, after 50 ms or after 150 ms.
test.each([
  [550, 100, 'returns 1500', [400, '1', 1500]],
  [650, 100, 'waits', [200, undefined, undefined]],
])(
  'pipeline, %i ms before the function would time out, while an operation needs another %i ms, %s',
  async (remainingMs, neededMs, _what, expected) => {
    const silent = { summary: () => {}, fault: () => {} };
    const handle = noteHandler(() => sleep(neededMs), silent);
    const { statusCode, headers, body } = await handle(noteEvent(), lambdaContext(remainingMs));
    expect([statusCode, headers?.['Retry-After'], JSON.parse(body).error]).toEqual(expected);
  },
);

test.each([
  ['no DynamoDB command', () => new Promise(() => {})],
  ['a DynamoDB command', () => withTimeout(() => sleep(100))],
])(
  'pipeline logs which function did not finish in which time, and that %s was pending',
  async (command, put) => {
    const faults: unknown[][] = [];
    const log = { summary: () => {}, fault: (...fault: unknown[]) => faults.push(fault) };
    let clock = 5_000;
    const now = jest.spyOn(performance, 'now').mockImplementation(() => clock);
    const response = noteHandler(put, log)(noteEvent(), lambdaContext(510));
    clock += 10;
    await response;
    now.mockRestore();
    const message = `function did not finish in 10 ms; ${command} was pending`;
    expect(faults).toEqual([['api', 1500, expect.objectContaining({ message })]]);
  },
);
