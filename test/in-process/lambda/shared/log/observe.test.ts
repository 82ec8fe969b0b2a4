import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import {
  OperationError,
  operationErrors,
  Unauthorized,
} from '../../../../../lambda/shared/errors.ts';
import {
  observeAuthorizer,
  observeOperation,
  observePut,
} from '../../../../../lambda/shared/log/observe.ts';
import type { RequestSummary } from '../../../../../lambda/shared/log/request-log.ts';
import { lambdaContext } from '../../../../support/lambda-context.ts';
import { noteEvent, noteHandler, type PutNote } from '../../fixture-operation.ts';

const tokenEvent = {
  type: 'TOKEN' as const,
  authorizationToken: 'Bearer secret',
  methodArn: 'arn',
};
/** The time of `performance.now()`. */
let clock = 5_000;
function wait(ms: number): void {
  clock += ms;
}

const summaries: RequestSummary[] = [];
const faults: unknown[][] = [];
const log = {
  summary: (summary: RequestSummary) => summaries.push(summary),
  fault: (...fault: unknown[]) => faults.push(fault),
};
beforeEach(() => {
  jest.spyOn(performance, 'now').mockImplementation(() => clock);
  summaries.length = 0;
  faults.length = 0;
});
afterEach(() => {
  jest.restoreAllMocks();
});

describe('observeAuthorizer', () => {
  const observe = (authorize: Parameters<typeof observeAuthorizer>[0]) =>
    observeAuthorizer(authorize, log)(tokenEvent, lambdaContext());
  const policy = (effects: readonly ('Allow' | 'Deny')[], client: string | number) => {
    const Statement = effects.map((Effect) => ({ Effect, Action: 'a', Resource: 'r' }));
    return {
      principalId: 'token-id',
      policyDocument: { Version: '2012-10-17', Statement },
      context: { client },
    };
  };
  const allowed = { AllowedRequests: 1, Faults: 0 };
  const rejected = { ClientErrors: 1, Faults: 0 };

  test.each([
    [['Allow'], 'ci', { outcome: 'allowed', client: 'ci' }, { metrics: allowed }],
    [['Allow'], 7, { outcome: 'allowed' }, { metrics: allowed }],
    [
      ['Allow', 'Deny'],
      'ci',
      { outcome: 'rejected', client: 'ci' },
      { metrics: rejected, code: 2403 },
    ],
  ] as const)(
    'logs a policy with the effects %j for the client %p',
    async (effects, client, facts, { metrics, ...rest }) => {
      const result = policy(effects, client);
      const authorize = async () => {
        wait(20);
        return result;
      };
      await expect(observe(authorize)).resolves.toBe(result);
      const expected = { requestId: 'invocation', principal: 'token-id', ...facts };
      expect(summaries).toEqual([
        { facts: expected, metrics: { ...metrics, Duration: 20 }, ...rest },
      ]);
      expect(faults).toEqual([]);
    },
  );

  test.each([
    [new Unauthorized(), rejected, 'rejected', 2401, 0],
    [new Error('DynamoDB is gone'), { Faults: 1 }, 'fault', 2500, 1],
  ])('logs and rethrows the error %s', async (thrown, metrics, outcome, code, faultLines) => {
    await expect(observe(() => Promise.reject(thrown))).rejects.toBe(thrown);
    const facts = { requestId: 'invocation', outcome };
    expect(summaries).toEqual([{ facts, code, metrics: { ...metrics, Duration: 0 } }]);
    expect(faults).toEqual(Array.from({ length: faultLines }, () => ['invocation', code, thrown]));
  });
});

describe('observeOperation', () => {
  const stored: PutNote = async () => {};
  const send = (put: PutNote, changes: object = {}) =>
    noteHandler(put, log)(noteEvent(changes), lambdaContext());
  const timings = { PutLatency: 0, Duration: 0 };
  const succeeded = { metrics: { Faults: 0, ...timings } };

  test.each([
    [
      { requestId: 'api', authorizer: { principalId: 'p', client: 'ci' } },
      { requestId: 'api', principal: 'p', client: 'ci' },
    ],
    [{ requestId: 'api', authorizer: { principalId: 7 } }, { requestId: 'api' }],
    [undefined, { requestId: 'invocation' }],
  ])(
    'logs the request id and the caller from the request context %j',
    async (requestContext, facts) => {
      await send(stored, { requestContext });
      expect(summaries).toEqual([{ facts: { ...facts, outcome: 'succeeded' }, ...succeeded }]);
      expect(faults).toEqual([]);
    },
  );

  test('logs the outcome of a success that the operation names, with the metric that counts it', async () => {
    const success = { outcome: 'read', metric: 'NotesRead' };
    await observeOperation(async (_event, { observation }) => {
      observation.success = success;
      return { statusCode: 200, body: '' };
    }, log)(noteEvent(), lambdaContext());
    const facts = { requestId: 'api', outcome: 'read' };
    expect(summaries).toEqual([{ facts, metrics: { NotesRead: 1, Faults: 0, Duration: 0 } }]);
  });

  test('logs an error of the client as a rejection, and not as a fault', async () => {
    await send(() => Promise.reject(new OperationError(operationErrors.tooLarge)));
    const facts = { requestId: 'api', outcome: 'rejected' };
    expect(summaries).toEqual([
      { facts, code: 1003, metrics: { ClientErrors: 1, Faults: 0, ...timings } },
    ]);
    expect(faults).toEqual([]);
  });

  const bug = new TypeError('strange');
  const failed = new OperationError(operationErrors.dynamodbFailed);
  test.each([
    ['an OperationError', failed, 1500, failed],
    ['an unexpected error', bug, 1599, bug],
  ])('logs a fault: %s', async (_name, thrown, code, logged) => {
    await send(() => Promise.reject(thrown));
    const facts = { requestId: 'api', outcome: 'fault' };
    expect(summaries).toEqual([{ facts, code, metrics: { Faults: 1, ...timings } }]);
    expect(faults).toEqual([['api', code, logged]]);
    expect(faults[0]?.[2]).toBe(logged);
  });

  test.each([
    ['the latency of a put', 20, async () => wait(20)],
    ['the latency so far of a put that has not ended', 90, () => new Promise<void>(() => {})],
  ])('logs beside the duration of the request: %s', async (_what, latency, put) => {
    const handle = observeOperation(async (_event, { observation }) => {
      const end = clock + 100;
      wait(10);
      await Promise.race([observePut(put, observation)({}), new Promise(setImmediate)]);
      wait(end - clock);
      return { statusCode: 200, body: '' };
    }, log);
    await handle(noteEvent(), lambdaContext());
    expect(summaries).toMatchObject([{ metrics: { PutLatency: latency, Duration: 100 } }]);
  });
});
