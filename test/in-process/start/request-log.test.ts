import { expect, test } from '@jest/globals';
import type { RespondedRequest } from '../../../emulator/index.ts';
import { logForPeople } from '../../../start/request-log.ts';

const responded = (traceId: string, request: Partial<RespondedRequest> = {}): RespondedRequest => ({
  method: 'POST',
  path: '/plants',
  status: 200,
  body: Buffer.from('{}'),
  milliseconds: 6.4,
  traceId,
  requestId: 'any',
  authorizer: undefined,
  ...request,
});

function start() {
  const lines: string[] = [];
  return { lines, log: logForPeople((line) => lines.push(line)) };
}

test('writes the lines of each request under it, and those of no request at once', () => {
  const { lines, log } = start();
  log.received('a');
  log.received('b');
  log.line('first of a', 'a');
  log.line('of b', 'b');
  log.line('of none');
  log.line('second of a', 'a');
  log.responded(responded('b', { authorizer: { principalId: '1', client: 'ci' } }));
  log.responded(responded('a', { status: 400, body: Buffer.from('{"error":1004,"message":"…"}') }));
  log.line('late', 'a');
  expect(lines).toEqual([
    'of none',
    'POST /plants 200 6 ms ci',
    '  of b',
    'POST /plants 400 1004 6 ms',
    '  first of a',
    '  second of a',
    'late',
  ]);
});

test('writes the stacks of thrown and of logged errors, and no metrics', () => {
  const { lines, log } = start();
  log.line('{"_aws":{"Timestamp":1},"Faults":0}');
  log.line(
    'id\tERROR\tInvoke Error\t{"errorType":"Error","errorMessage":"no","trace":["Error: no","    at a.ts:1:2"]}',
  );
  const cause = { name: 'TypeError', message: 'why', stack: 'TypeError: why\n    at c.ts:5:6' };
  log.line(JSON.stringify({ level: 'ERROR', message: 'no', stack: 'Error: no\n    at b.ts:3:4', cause }));
  log.line('{"plain":"object"}');
  expect(lines).toEqual([
    'Error: no',
    '    at a.ts:1:2',
    'Error: no',
    '    at b.ts:3:4',
    'Caused by: TypeError: why',
    '    at c.ts:5:6',
    '{"plain":"object"}',
  ]);
});
