import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { isFault, OperationError, operationErrors } from '../shared/errors.ts';
import type { RequestLog } from '../shared/log/request-log.ts';
import type { PutOutcome, PutPlant } from './create-plant.ts';

/** What is found out about a request on its way. */
export interface Observation {
  readonly startedAt: number;
  putStartedAt?: number;
  putEndedAt?: number;
  putOutcome?: PutOutcome;
}

/** Gives each event an `observation`, and logs what came of the request: the outermost middleware. */
export const observe = (
  log: RequestLog,
): MiddlewareObj<APIGatewayProxyEvent & { observation: Observation }, APIGatewayProxyResult> => ({
  before: ({ event }) => {
    event.observation = { startedAt: performance.now() };
  },
  after: ({ event, context }) => {
    const { observation } = event;
    const outcome = observation.putOutcome === 'duplicate' ? 'duplicate' : 'created';
    const counted = outcome === 'duplicate' ? { DuplicateRequests: 1 } : { PlantsCreated: 1 };
    log.summary({
      facts: { ...identify(event, context), outcome },
      metrics: { ...counted, Faults: 0, ...timings(observation) },
    });
  },
  onError: ({ event, context, error }) => {
    const { number } =
      error instanceof OperationError ? error : new OperationError(operationErrors.unexpected);
    const fault = isFault(number);
    const facts = { ...identify(event, context), outcome: fault ? 'fault' : 'rejected' };
    const counted = fault ? { Faults: 1 } : { ClientErrors: 1, Faults: 0 };
    log.summary({ facts, error: number.error, metrics: { ...counted, ...timings(event.observation) } });
    if (fault) log.fault(facts.requestId, number.error, error?.cause ?? error);
  },
});

/** The store, its answer and the time that it took noted down. */
export const observed =
  (put: PutPlant, observation: Observation): PutPlant =>
  async (plant) => {
    observation.putStartedAt = performance.now();
    try {
      observation.putOutcome = await put(plant);
      return observation.putOutcome;
    } finally {
      observation.putEndedAt = performance.now();
    }
  };

/** Who asked, by the authorizer's word, and the API's own id of the request. */
function identify({ requestContext }: APIGatewayProxyEvent, { awsRequestId }: Context) {
  const { principalId, client } = requestContext?.authorizer ?? {};
  return {
    requestId: requestContext?.requestId ?? awsRequestId,
    principal: text(principalId),
    client: text(client),
  };
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A store that has not answered by now has taken at least until now. */
function timings({ startedAt, putStartedAt, putEndedAt }: Observation) {
  const now = performance.now();
  const PutLatency = putStartedAt === undefined ? undefined : (putEndedAt ?? now) - putStartedAt;
  return { PutLatency, Duration: now - startedAt };
}
