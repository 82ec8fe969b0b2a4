import type {
  APIGatewayProxyEvent,
  APIGatewayProxyResult,
  APIGatewayTokenAuthorizerEvent,
  Context,
} from 'aws-lambda';
import {
  type ErrorSpec,
  gatewayErrors,
  isFault,
  type OperationError,
  Unauthorized,
} from '../errors.ts';
import type { AuthorizeHandler } from '../tokens/token-authorizer.ts';
import type { RequestLog, RequestSummary } from './request-log.ts';

/** Set by an operation before it returns; otherwise, the outcome is `succeeded`. */
interface SuccessRecord {
  success?: { readonly outcome: string; readonly metric: string };
}

/** Set by `observePut`. */
interface PutRecord {
  putStartedAt?: number;
  putEndedAt?: number;
}

/** Set by `errorResponse`. */
interface ErrorRecord {
  error?: OperationError;
}

/** Lambda's context, with what `observeOperation` logs when the handler has returned. */
type Observed<Part> = Context & { readonly observation: Part };
export type OperationContext = Observed<SuccessRecord & PutRecord>;
export type ErrorContext = Observed<ErrorRecord>;

type OperationHandler = (
  event: APIGatewayProxyEvent,
  context: OperationContext & ErrorContext,
) => Promise<APIGatewayProxyResult>;

/** The request's id and, if they are known, `principal` and `client`. */
type Identity = RequestSummary['facts'] & { readonly requestId: string };

/** Wraps the handler of an operation to log one line for each request. */
export const observeOperation =
  (handle: OperationHandler, log: RequestLog) =>
  async (event: APIGatewayProxyEvent, context: Context) => {
    const startedAt = performance.now();
    const observation: SuccessRecord & PutRecord & ErrorRecord = {};
    const result = await handle(event, Object.assign(context, { observation }));
    const now = performance.now();
    // Without `putEndedAt`, the put is still running, and its latency is the time so far.
    const { error, success, putStartedAt, putEndedAt = now } = observation;
    const timings = {
      PutLatency: putStartedAt === undefined ? undefined : putEndedAt - putStartedAt,
      Duration: now - startedAt,
    };
    // An event from Lambda's console may lack these.
    const { authorizer, requestId = context.awsRequestId } = event.requestContext ?? {};
    const identity = {
      requestId,
      principal: optionalString(authorizer?.principalId),
      client: optionalString(authorizer?.client),
    };
    if (error !== undefined) {
      logFailure(log, identity, error.spec, timings, error.cause ?? error);
    } else {
      const facts = { ...identity, outcome: success?.outcome ?? 'succeeded' };
      const successCount = success && { [success.metric]: 1 };
      log.summary({ facts, metrics: { ...successCount, Faults: 0, ...timings } });
    }
    return result;
  };

/** Wraps `put` to record its latency. */
export const observePut =
  <Item, Result>(put: (item: Item) => Promise<Result>, observation: PutRecord) =>
  async (item: Item): Promise<Result> => {
    observation.putStartedAt = performance.now();
    try {
      return await put(item);
    } finally {
      observation.putEndedAt = performance.now();
    }
  };

/**
 * Wraps an authorizer to log one line for each decision. API Gateway does not pass its request id to a TOKEN
 * authorizer, so the line has the id of the Lambda invocation, which the access log calls `authorizerRequestId`.
 */
export const observeAuthorizer =
  (handle: AuthorizeHandler, log: RequestLog) =>
  async (event: APIGatewayTokenAuthorizerEvent, { awsRequestId: requestId }: Context) => {
    const startedAt = performance.now();
    const timings = () => ({ Duration: performance.now() - startedAt });
    try {
      const result = await handle(event);
      const client = optionalString(result.context?.client);
      const identity = { requestId, principal: result.principalId, client };
      if (result.policyDocument.Statement.every(({ Effect }) => Effect === 'Allow')) {
        const facts = { ...identity, outcome: 'allowed' };
        log.summary({ facts, metrics: { AllowedRequests: 1, Faults: 0, ...timings() } });
      } else {
        logFailure(log, identity, gatewayErrors.forbidden, timings());
      }
      return result;
    } catch (thrown) {
      const spec =
        thrown instanceof Unauthorized ? gatewayErrors.unauthorized : gatewayErrors.internalError;
      logFailure(log, { requestId }, spec, timings(), thrown);
      throw thrown;
    }
  };

function logFailure(
  log: RequestLog,
  identity: Identity,
  spec: ErrorSpec,
  timings: RequestSummary['metrics'],
  thrown?: unknown,
): void {
  const fault = isFault(spec);
  const counts = fault ? { Faults: 1 } : { ClientErrors: 1, Faults: 0 };
  const facts = { ...identity, outcome: fault ? 'fault' : 'rejected' };
  log.summary({ facts, code: spec.code, metrics: { ...counts, ...timings } });
  if (fault) log.fault(identity.requestId, spec.code, thrown);
}

function optionalString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
