import { METRICS, METRICS_NAMESPACE, type MetricName, type ServiceName } from './metrics.ts';

/** What a request's one line says. */
export interface RequestSummary {
  /** For people and queries: who asked, what came of it. Never a body, a token or an item. */
  readonly facts: Readonly<Record<string, string | undefined>>;
  /** The error number of the answer; the metrics of the line are then counted by it too. */
  readonly error?: number | undefined;
  readonly metrics: RequestMetrics;
}

/** In the units of METRICS; what doesn't apply to a request is left out. */
export type RequestMetrics = Readonly<Partial<Record<MetricName, number | undefined>>>;

export interface RequestLog {
  /** Writes the request's line. */
  summary(summary: RequestSummary): void;
  /** Writes a second line for a fault: what was thrown, for whoever has to fix it. */
  fault(requestId: string, error: number, thrown: unknown): void;
}

/**
 * Writes one JSON line for each request, in CloudWatch's embedded metric format: the metrics are read from
 * the very line that people read.
 */
export function requestLog(service: ServiceName, stage: string): RequestLog {
  // Opened now, in init, rather than with the first line.
  const { stdout } = process;
  const write = (line: object) => stdout.write(`${JSON.stringify({ service, stage, ...line })}\n`);
  let coldStart = true;
  return {
    summary({ facts, error, metrics }) {
      const _aws = embeddedMetrics(metrics, error !== undefined);
      write({ _aws, error: error?.toString(), ...metrics, ...facts, coldStart: `${coldStart}` });
      coldStart = false;
    },
    fault(requestId, error, thrown) {
      write({ level: 'ERROR', timestamp: new Date().toISOString(), requestId, error, ...describe(thrown) });
    },
  };
}

/**
 * Which fields of the line are metrics, and which are their dimensions: one set for all requests and, where
 * there is an error, one by its number too (Amazon CloudWatch User Guide, "Specification: Embedded metric
 * format").
 */
function embeddedMetrics(metrics: RequestMetrics, byError: boolean): object {
  const Dimensions = [['service', 'stage'], ...(byError ? [['service', 'stage', 'error']] : [])];
  const Metrics = metricNames
    .filter((name) => metrics[name] !== undefined)
    .map((name) => ({ Name: name, Unit: METRICS[name] }));
  return {
    Timestamp: Date.now(),
    CloudWatchMetrics: [{ Namespace: METRICS_NAMESPACE, Dimensions, Metrics }],
  };
}

const metricNames = Object.keys(METRICS).filter((name): name is MetricName => name in METRICS);

function describe(thrown: unknown): Record<string, unknown> {
  if (!(thrown instanceof Error)) return { message: `${typeof thrown} was thrown` };
  const { name, message, stack, cause } = thrown;
  return { name, message, stack, ...(cause === undefined ? {} : { cause: describe(cause) }) };
}
