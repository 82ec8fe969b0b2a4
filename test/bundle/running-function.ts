import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll } from '@jest/globals';
import { mintAccessToken } from '../../lambda/shared/tokens/access-token.ts';
import type { FunctionName } from '../../lib/functions/function-names.ts';
import { listOperations } from '../../lib/operations.ts';
import { tableSpecs } from '../../lib/tables.ts';
import { builtFunction } from '../support/assembly/synthesized-assembly.ts';
import { exampleBody, exampleMethod, examplePath } from '../support/service/contract.ts';

/** Long enough for the function's own deadlines to end an invocation. */
const REMAINING_TIME_MS = 60_000;

export interface FunctionState {
  readonly heapBytes: number;
  readonly peakMemoryBytes: number;
  readonly cpuSeconds: number;
  readonly warnings: readonly string[];
}

export interface RunningFunction {
  /** Invokes the handler one or more times. Returns its last result, or the message of the error that it threw. */
  readonly invoke: (event: object, times?: number) => Promise<{ result?: unknown; error?: string }>;
  /**
   * Collects garbage, then returns measurements. `peakMemoryBytes` is the peak of resident memory. CPU time and
   * warnings are counted from the start of the process.
   */
  readonly state: () => Promise<FunctionState>;
}

const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

/**
 * Starts a function in a separate process, which ends when the tests in the file have ended, and waits for its init.
 */
export async function startFunction(
  name: FunctionName,
  environment: Record<string, string>,
  folder = builtFunction(name),
): Promise<RunningFunction> {
  const operation = listOperations().find(({ functionName }) => functionName === name);
  const child = fork(
    join(import.meta.dirname, 'function-process.cjs'),
    [join(folder, 'index.mjs')],
    {
      execArgv: ['--expose-gc'],
      env: {
        AWS_REGION: 'us-east-1',
        AWS_ACCESS_KEY_ID: 'test',
        AWS_SECRET_ACCESS_KEY: 'test',
        STAGE: 'test',
        ...Object.fromEntries(tableSpecs.map(({ id, variable }) => [variable, id])),
        ...operation?.environment,
        ...environment,
      },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      serialization: 'advanced',
    },
  );
  children.push(child);
  const request = async (message: object) => {
    child.send(message);
    return replyOf(child);
  };
  await replyOf(child);
  return {
    invoke: (event, times = 1) => request({ event, times, remainingTimeMs: REMAINING_TIME_MS }),
    state: () => request({}),
  };
}

async function replyOf(child: ChildProcess) {
  const gone = new AbortController();
  const exit = once(child, 'exit', { signal: gone.signal }).then(async ([code]) => {
    throw new Error(
      `the function's process exited with ${code}: ${child.stderr === null ? '' : await text(child.stderr)}`,
    );
  });
  const [reply] = await Promise.race([once(child, 'message'), exit]);
  exit.catch(() => undefined);
  gone.abort();
  return reply;
}

/** Returns the part of API Gateway's event that `exampleOperation` reads. */
export const exampleEvent = (body = exampleBody) => ({
  httpMethod: exampleMethod,
  path: examplePath,
  headers: { 'Content-Type': 'application/json' },
  body,
  isBase64Encoded: false,
  requestContext: { requestId: 'test' },
});

const issued = mintAccessToken();

/** The event that API Gateway sends to the authorizer. */
export const authorizeEvent = {
  type: 'TOKEN',
  methodArn: 'arn:aws:execute-api:us-east-1:123456789012:api/dev/POST/operation',
  authorizationToken: `Bearer ${issued.token}`,
};

/** The tokens table's item for the token in `authorizeEvent`, in DynamoDB's JSON. */
export const tokenItem = {
  id: { S: issued.id },
  client: { S: 'test' },
  hash: { S: issued.hash },
  issuedAt: { N: '1' },
};
