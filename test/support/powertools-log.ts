/** Logs a request as tutorials do, with Powertools Metrics. */
import { Metrics } from '@aws-lambda-powertools/metrics';
import {
  METRICS,
  METRICS_NAMESPACE,
  type MetricName,
  type RequestLog,
  requestLog,
} from '../../lambda/shared/log/request-log.ts';

export function powertoolsLog(serviceName: string, stage: string): RequestLog {
  const metrics = new Metrics({ namespace: METRICS_NAMESPACE, serviceName, defaultDimensions: { stage } });
  let coldStart = true;
  return {
    summary({ facts, error, metrics: values }) {
      for (const [name, fact] of Object.entries({ ...facts, coldStart: `${coldStart}` })) {
        if (fact !== undefined) metrics.addMetadata(name, fact);
      }
      coldStart = false;
      for (const name of metricNames) {
        const value = values[name];
        if (value !== undefined) metrics.addMetric(name, METRICS[name], value);
      }
      if (error !== undefined) metrics.addDimensions({}).addDimensions({ error: `${error}` });
      const { _aws, ...line } = metrics.serializeMetrics();
      const CloudWatchMetrics = [
        ..._aws.CloudWatchMetrics,
        ...(serviceName === 'authorize' ? [] : [ofStage]),
      ];
      process.stdout.write(`${JSON.stringify({ ...line, _aws: { ..._aws, CloudWatchMetrics } })}\n`);
      metrics.clearMetrics();
      metrics.clearMetadata();
      metrics.clearDimensions();
    },
    fault: requestLog(serviceName, stage).fault,
  };
}

/** A second set of metrics in the same line. It is added here, because Powertools supports only one set. */
const ofStage = {
  Namespace: METRICS_NAMESPACE,
  Dimensions: [['stage']],
  Metrics: [{ Name: 'Faults', Unit: METRICS.Faults }],
};

const metricNames = Object.keys(METRICS).filter((name): name is MetricName => name in METRICS);
