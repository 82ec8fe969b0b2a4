import { Metrics } from '@aws-lambda-powertools/metrics';
import { METRICS, METRICS_NAMESPACE, type MetricName, type ServiceName } from './metrics.ts';

/** What a request's one line says. */
export interface RequestSummary {
  /** For people and queries: who asked, what came of it. Never a body, a token or an item. */
  readonly facts: Readonly<Record<string, string | undefined>>;
  /** The error number of the answer; the metrics of the line are then counted by it too. */
  readonly error?: number | undefined;
  readonly metrics: Readonly<Partial<Record<MetricName, number | undefined>>>;
}

export interface RequestLog {
  /** Writes the request's line. */
  summary(summary: RequestSummary): void;
  /** Writes a second line for a fault: what was thrown, for whoever has to mend it. */
  fault(requestId: string, error: number, thrown: unknown): void;
}

/**
 * Writes one JSON line for each request, in CloudWatch's embedded metric format: the metrics are read from
 * the very line that people read.
 */
export function requestLog(service: ServiceName, stage: string): RequestLog {
  const metrics = new Metrics({
    namespace: METRICS_NAMESPACE,
    serviceName: service,
    defaultDimensions: { stage },
  });
  let coldStart = true;
  return {
    summary({ facts, error, metrics: values }) {
      for (const [name, fact] of Object.entries(facts)) {
        if (fact !== undefined) metrics.addMetadata(name, fact);
      }
      metrics.addMetadata('coldStart', `${coldStart}`);
      coldStart = false;
      for (const name of metricNames) {
        const value = values[name];
        if (value !== undefined) metrics.addMetric(name, METRICS[name], value);
      }
      // One set of dimensions for all requests and, beside it, one by error number.
      if (error !== undefined) metrics.addDimensions({}).addDimensions({ error: `${error}` });
      metrics.publishStoredMetrics();
    },
    fault(requestId, error, thrown) {
      const timestamp = new Date().toISOString();
      const line = { level: 'ERROR', timestamp, service, stage, requestId, error, ...describe(thrown) };
      process.stdout.write(`${JSON.stringify(line)}\n`);
    },
  };
}

const metricNames = Object.keys(METRICS).filter((name): name is MetricName => name in METRICS);

function describe(thrown: unknown): Record<string, unknown> {
  if (!(thrown instanceof Error)) return { message: `${typeof thrown} was thrown` };
  const { name, message, stack, cause } = thrown;
  return { name, message, stack, ...(cause === undefined ? {} : { cause: describe(cause) }) };
}
