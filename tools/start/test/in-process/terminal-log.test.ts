import { expect, test } from '@jest/globals';
import type { Exchange } from 'stack-emulator';
import { terminalLog } from '../../terminal-log.ts';

const responded = (traceId: string, exchange: Partial<Exchange> = {}): Exchange => ({
  method: 'POST',
  path: '/plants',
  status: 200,
  headers: [],
  body: Buffer.from('{}'),
  milliseconds: 6.4,
  traceId,
  context: undefined,
  ...exchange,
});

function start() {
  const written: string[] = [];
  return { written, log: terminalLog((text) => written.push(text)) };
}

/** The line that Lambda's runtime logs for an error that a handler threw. */
const thrown = (errorMessage: string, trace: readonly string[]) =>
  `id\tERROR\tInvoke Error\t${JSON.stringify({ errorType: 'Error', errorMessage, trace })}`;

test('writes a request’s output together, below the request’s own line, and any other line immediately', () => {
  const { written, log } = start();
  log.received('a');
  log.received('b');
  log.line('line 1 of a', 'a');
  log.line('line 1 of b', 'b');
  log.line('line without a request');
  log.line('line 2 of a', 'a');
  log.responded(responded('b', { context: { principalId: '1', client: 'ci' } }));
  log.responded(responded('a', { status: 400, body: Buffer.from('{"error":1004,"message":"…"}') }));
  log.line('late', 'a');
  expect(written).toEqual([
    'line without a request',
    'POST /plants 200 6 ms [ci]\n  line 1 of b',
    'POST /plants 400 1004 6 ms …\n  line 1 of a\n  line 2 of a',
    'late',
  ]);
});

test('writes nothing for a visit to /docs, and escapes what could control a terminal', () => {
  const { written, log } = start();
  log.responded(responded('a', { path: '/', status: 302 }));
  log.responded(responded('b', { path: '/docs' }));
  log.responded(responded('c', { path: '/openapi.json' }));
  log.responded(responded('d', { path: '/docs/unknown', status: 404 }));
  const body = Buffer.from('{"error":1002,"message":"name \\u001b is required"}');
  const context = { client: 'a\u001b[2J' };
  log.responded(responded('e', { method: 'GE\u009bT', status: 400, body, context }));
  expect(written).toEqual([
    'POST /docs/unknown 404 6 ms',
    'GE\\u009bT /plants 400 1002 6 ms [a\\u001b[2J] name \\u001b is required',
  ]);
});

test('writes the stack traces of thrown and logged errors, but no metrics', () => {
  const { written, log } = start();
  log.line('{"_aws":{"Timestamp":1},"Faults":0}');
  log.line(thrown('no', ['Error: no', '    at a.ts:1:2']));
  const cause = { name: 'TypeError', message: 'why', stack: 'TypeError: why\n    at c.ts:5:6' };
  log.line(
    JSON.stringify({ level: 'ERROR', message: 'no', stack: 'Error: no\n    at b.ts:3:4', cause }),
  );
  log.line('{"plain":"object"}');
  log.line('null');
  // Only the runtime's error without a stack trace is the authorizer's response to a token.
  log.line(thrown('Unauthorized', ['Error: Unauthorized', '    at a.ts:1:2']));
  expect(written).toEqual([
    'Error: no\n    at a.ts:1:2',
    'Error: no\n    at b.ts:3:4\nCaused by: TypeError: why\n    at c.ts:5:6',
    '{"plain":"object"}',
    'null',
    'Error: Unauthorized\n    at a.ts:1:2',
  ]);
});
