import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { PutPlant } from '../../../lambda/create-plant/create-plant.ts';
import { createHandler } from '../../../lambda/create-plant/handler.ts';
import { observe } from '../../../lambda/create-plant/observe.ts';
import { OperationError, operationErrors } from '../../../lambda/shared/errors.ts';
import { observeAuthorizer } from '../../../lambda/shared/log/observe-authorizer.ts';
import type { RequestSummary } from '../../../lambda/shared/log/request-log.ts';
import { Unauthorized } from '../../../lambda/shared/tokens/unauthorized.ts';

const policy = (Effect: 'Allow' | 'Deny') => ({
  principalId: 'token-id',
  policyDocument: { Version: '2012-10-17', Statement: [{ Effect, Action: 'a', Resource: 'r' }] },
});
type Answer = Awaited<ReturnType<Parameters<typeof observeAuthorizer>[0]>>;
const event = { type: 'TOKEN' as const, authorizationToken: 'Bearer secret', methodArn: 'arn' };
const context = {
  ...JSON.parse('{"awsRequestId":"request"}'),
  getRemainingTimeInMillis: () => 10_000,
};
/** Milliseconds of a test, and none of a clock. */
const aMoment: unknown = {
  asymmetricMatch: (value: unknown) => typeof value === 'number' && value >= 0 && value < 1_000,
};
const plantEvent = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../events/create-plant.json'), 'utf8'),
);

const summaries: RequestSummary[] = [];
const faults: unknown[][] = [];
const log = {
  summary: (summary: RequestSummary) => summaries.push(summary),
  fault: (...fault: unknown[]) => faults.push(fault),
};
beforeEach(() => {
  summaries.length = 0;
  faults.length = 0;
});

describe('an authorizer’s decision is logged', () => {
  test.each<['Allow' | 'Deny', Answer['context'], string, string | undefined, object, number | undefined]>([
    ['Allow', { client: 'ci' }, 'allowed', 'ci', { AllowedRequests: 1, Faults: 0 }, undefined],
    ['Allow', undefined, 'allowed', undefined, { AllowedRequests: 1, Faults: 0 }, undefined],
    ['Allow', { client: 7 }, 'allowed', undefined, { AllowedRequests: 1, Faults: 0 }, undefined],
    ['Deny', { client: 'ci' }, 'rejected', 'ci', { ClientErrors: 1, Faults: 0 }, 2403],
  ])('%s with the context %j', async (effect, said, outcome, client, metrics, error) => {
    const answer: Answer = { ...policy(effect), ...(said && { context: said }) };
    await expect(observeAuthorizer(async () => answer, log)(event, context)).resolves.toBe(answer);
    expect(summaries).toEqual([
      {
        facts: { requestId: 'request', principal: 'token-id', client, outcome },
        ...(error === undefined ? {} : { error }),
        metrics: { ...metrics, Duration: aMoment },
      },
    ]);
    expect(faults).toEqual([]);
  });

  test('a policy that denies a part is no allowance', async () => {
    const [allow, deny] = [policy('Allow'), policy('Deny')];
    const Statement = [...allow.policyDocument.Statement, ...deny.policyDocument.Statement];
    const answer: Answer = { ...allow, policyDocument: { ...allow.policyDocument, Statement } };
    await expect(observeAuthorizer(async () => answer, log)(event, context)).resolves.toBe(answer);
    expect(summaries).toMatchObject([
      { facts: { outcome: 'rejected' }, metrics: { ClientErrors: 1 }, error: 2403 },
    ]);
  });

  test.each([
    [new Unauthorized(), { ClientErrors: 1, Faults: 0 }, 'rejected', 2401, 0],
    [new Error('the store is gone'), { Faults: 1 }, 'fault', 2500, 1],
  ])('%s, thrown, and it is thrown on', async (thrown, metrics, outcome, error, faultLines) => {
    const authorize = async () => {
      throw thrown;
    };
    await expect(observeAuthorizer(authorize, log)(event, context)).rejects.toBe(thrown);
    expect(summaries).toEqual([
      {
        facts: { requestId: 'request', outcome },
        error,
        metrics: { ...metrics, Duration: aMoment },
      },
    ]);
    expect(faults).toEqual(Array.from({ length: faultLines }, () => ['request', error, thrown]));
  });
});

describe('a request for a plant is logged', () => {
  const told = { principalId: 'token-id', client: 'ci' };
  const of = (put: PutPlant, requestContext: object | undefined, body = '{"id":1,"name":"Ficus"}') =>
    createHandler(put, log)({ ...plantEvent, body, requestContext }, context);
  test.each([
    [
      { requestId: 'api', authorizer: told },
      { requestId: 'api', principal: 'token-id', client: 'ci' },
    ],
    [
      { requestId: 'api', authorizer: { principalId: 7 } },
      { requestId: 'api', principal: undefined, client: undefined },
    ],
    [{}, { requestId: 'request', principal: undefined, client: undefined }],
    [undefined, { requestId: 'request', principal: undefined, client: undefined }],
  ])('with who asked, by %j', async (requestContext, facts) => {
    await of(async () => 'created', requestContext);
    expect(summaries).toMatchObject([{ facts: { ...facts, outcome: 'created' } }]);
  });

  test.each([
    ['created', 'created', { PlantsCreated: 1, Faults: 0 }, undefined],
    ['duplicate', 'duplicate', { DuplicateRequests: 1, Faults: 0 }, undefined],
    ['conflict', 'rejected', { ClientErrors: 1, Faults: 0 }, 1004],
  ] as const)('with what came of it, when it was %s', async (put, outcome, metrics, error) => {
    await of(async () => put, {});
    const timings = { PutLatency: aMoment, Duration: aMoment };
    expect(summaries).toEqual([
      {
        facts: { requestId: 'request', outcome },
        ...(error === undefined ? {} : { error }),
        metrics: { ...metrics, ...timings },
      },
    ]);
    expect(faults).toEqual([]);
  });

  test.each([
    [new OperationError(operationErrors.dynamodbFailed), 1500],
    [new OperationError(operationErrors.dynamodbFailed, { cause: new Error('reset') }), 1500],
    [new TypeError('strange'), 1599],
  ])('as a fault, with what was thrown at first: %p', async (thrown, error) => {
    const put = async () => {
      throw thrown;
    };
    await of(put, { requestId: 'api' });
    const facts = { requestId: 'api', outcome: 'fault' };
    const metrics = { Faults: 1, PutLatency: aMoment, Duration: aMoment };
    expect(summaries).toMatchObject([{ facts, error, metrics }]);
    expect(faults).toEqual([
      ['api', error, thrown instanceof OperationError ? (thrown.cause ?? thrown) : thrown],
    ]);
  });

  test('with the time of the store, and not of what came after', async () => {
    const slow = jest.spyOn(performance, 'now');
    for (const now of [100, 110, 130, 200]) slow.mockReturnValueOnce(now);
    await of(async () => 'created', {});
    slow.mockRestore();
    expect(summaries).toMatchObject([{ metrics: { PutLatency: 20, Duration: 100 } }]);
  });

  test('without a time of the store, where the store was not asked', async () => {
    await of(async () => 'created', {}, '{}');
    const metrics = { ClientErrors: 1, Faults: 0, Duration: aMoment };
    expect(summaries).toMatchObject([{ error: 1002, metrics }]);
    expect(summaries[0]?.metrics.PutLatency).toBeUndefined();
  });

  test('with the time that the store has taken so far, where it has not answered', async () => {
    const early = { ...context, getRemainingTimeInMillis: () => 520 };
    await createHandler(() => new Promise(() => {}), log)({ ...plantEvent, requestContext: {} }, early);
    const metrics = { Faults: 1, PutLatency: aMoment, Duration: aMoment };
    expect(summaries).toMatchObject([{ error: 1500, metrics }]);
  });

  test.each([{ message: 'strange' }, null])(
    'as unexpected, where no other middleware knew the error %j',
    async (error) => {
      const request = { event: { observation: { startedAt: 0 } }, context, error };
      await observe(log).onError?.(JSON.parse(JSON.stringify(request)));
      expect(summaries).toMatchObject([{ error: 1599, metrics: { Faults: 1 } }]);
      expect(faults).toEqual([['request', 1599, error]]);
    },
  );
});
