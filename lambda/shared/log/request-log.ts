/** The CloudWatch namespace of the functions' metrics, which have the dimensions service and stage. */
export const METRICS_NAMESPACE = 'PlantStore';

/** The unit of each metric that functions share. */
export const METRIC_UNITS: Readonly<Record<string, string>> = {
  AllowedRequests: 'Count',
  /** The request was wrong. */
  ClientErrors: 'Count',
  /** 1 if the service failed, otherwise 0. `Sum` counts the faults, and `SampleCount` counts the requests. */
  Faults: 'Count',
  /** How long the put took, including the SDK's retries. */
  PutLatency: 'Milliseconds',
  /** How long the handler took. */
  Duration: 'Milliseconds',
};

/** The authorizer's name in logs and metrics. authorize-oidc has it too, so that the same alarms cover both. */
export const AUTHORIZER = 'authorize';

/** The content of a request's log line, from observe.ts. */
export interface RequestSummary {
  /** For people and queries: who sent the request, and its outcome. Never contains a body, a token or an item. */
  readonly facts: Readonly<Record<string, string | undefined>>;
  /** The error code of the response. The line's metrics are also counted by this code. */
  readonly code?: number | undefined;
  /** Values in METRIC_UNITS and, for the operation's own metrics, counts. */
  readonly metrics: Readonly<Record<string, number | undefined>>;
}

export interface RequestLog {
  summary(summary: RequestSummary): void;
  /** Writes a second line for a fault, with the thrown error. */
  fault(requestId: string, code: number, thrown: unknown): void;
}

/** Adds up the faults of all operations, because an alarm can have at most 10 metrics. */
const FAULTS_OF_STAGE = {
  Namespace: METRICS_NAMESPACE,
  Dimensions: [['stage']],
  Metrics: [{ Name: 'Faults', Unit: METRIC_UNITS.Faults }],
};

/**
 * The log of an operation. It writes one JSON line for each request, in CloudWatch's embedded metric format, so that
 * people and CloudWatch read the same line (docs/decisions.md#one-log-line).
 *
 * @param service the function's name, which is the dimension `service`
 * @param stageMetrics metrics with only the dimension `stage`
 */
export function requestLog(
  service: string,
  stage: string,
  stageMetrics = [FAULTS_OF_STAGE],
): RequestLog {
  // The first use of `process.stdout` opens the stream, so use it here, during init.
  const { stdout } = process;
  const write = (line: object) =>
    stdout.write(`${JSON.stringify({ service, stage, ...line, traceId: traceId() })}\n`);
  let coldStart = true;
  return {
    summary(summary) {
      const { facts, code, metrics } = summary;
      write({
        _aws: embeddedMetrics(summary, stageMetrics),
        // A dimension of CloudWatch must be a string.
        error: code?.toString(),
        ...metrics,
        ...facts,
        coldStart: `${coldStart}`,
      });
      coldStart = false;
    },
    fault(requestId, code, thrown) {
      write({
        level: 'ERROR',
        timestamp: new Date().toISOString(),
        requestId,
        error: code,
        ...errorFields(thrown),
      });
    },
  };
}

/** The log of an authorizer. API Gateway counts its faults too, as 500s, so the stage's metric must not. */
export const authorizerLog = (stage: string) => requestLog(AUTHORIZER, stage, []);

/**
 * The id of the request's X-Ray trace, as in the access log. Lambda sets `_X_AMZN_TRACE_ID` for each invocation.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html
 */
function traceId(): string | undefined {
  return process.env._X_AMZN_TRACE_ID?.match(/Root=([^;]+)/)?.[1];
}

/**
 * Declares which fields of the line are metrics. CloudWatch aggregates them by service and stage and, if there is an
 * error, also by error code.
 *
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch_Embedded_Metric_Format_Specification.html
 */
function embeddedMetrics(
  { code, metrics }: RequestSummary,
  stageMetrics: readonly object[],
): object {
  const byFunction = ['service', 'stage'];
  const Dimensions = code === undefined ? [byFunction] : [byFunction, [...byFunction, 'error']];
  const Metrics = Object.entries(metrics)
    .filter(([, value]) => value !== undefined)
    .map(([Name]) => ({ Name, Unit: METRIC_UNITS[Name] ?? 'Count' }));
  return {
    Timestamp: Date.now(),
    CloudWatchMetrics: [{ Namespace: METRICS_NAMESPACE, Dimensions, Metrics }, ...stageMetrics],
  };
}

function errorFields(thrown: unknown): Record<string, unknown> {
  if (!Error.isError(thrown)) return { message: `${typeof thrown} was thrown` };
  const { name, message, stack, cause } = thrown;
  return { name, message, stack, cause: cause === undefined ? undefined : errorFields(cause) };
}
