import { Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { METRICS_NAMESPACE, type MetricName, type ServiceName } from '../lambda/metrics.ts';
import { THROTTLED_METRIC } from './access-log.ts';
import type { NodeFunction } from './node-function.ts';
import type { StageName } from './options.ts';
import type { PlantsApi } from './plants-api.ts';

/** The parts of the service that can be watched. */
export interface ServiceParts {
  readonly stage: StageName;
  readonly createPlant: NodeFunction;
  readonly authorize: NodeFunction;
  readonly api: PlantsApi;
  readonly plants: Table;
  readonly tokens: Table;
}

/** What of a table metrics need. */
export type Table = Pick<ITable, 'tableName'>;

/** `p99`, `Sum`, … */
export type Statistic = string;

const PERIOD = Duration.minutes(1);

/** What a function says of its requests; with an error number, of those that it answered so. */
export function emitted(
  { stage }: ServiceParts,
  service: ServiceName,
  metricName: MetricName,
  statistic: Statistic,
  error?: number,
): Metric {
  const dimensionsMap = { service, stage, ...(error === undefined ? {} : { error: `${error}` }) };
  return new Metric({ namespace: METRICS_NAMESPACE, metricName, dimensionsMap, statistic, period: PERIOD });
}

/** Requests that API Gateway answered with 429. */
export function throttledRequests({ stage }: ServiceParts): Metric {
  const dimensionsMap = { stage };
  return new Metric({
    namespace: METRICS_NAMESPACE,
    metricName: THROTTLED_METRIC,
    dimensionsMap,
    statistic: 'Sum',
    period: PERIOD,
  });
}

export function ofApi({ api }: ServiceParts, metricName: string, statistic: Statistic): Metric {
  const dimensionsMap = { ...api.dimensions };
  return new Metric({ namespace: 'AWS/ApiGateway', metricName, dimensionsMap, statistic, period: PERIOD });
}

/** Of the version or, while one takes over from another, the versions in service. */
export function ofFunction({ live }: NodeFunction, metricName: string, statistic: Statistic): Metric {
  return live.metric(metricName, { statistic, period: PERIOD });
}

export function ofTable({ tableName }: Table, metricName: string, operation?: string): Metric {
  const dimensionsMap = {
    TableName: tableName,
    ...(operation === undefined ? {} : { Operation: operation }),
  };
  return new Metric({
    namespace: 'AWS/DynamoDB',
    metricName,
    dimensionsMap,
    statistic: 'Sum',
    period: PERIOD,
  });
}

/** Bytes written to a log group. */
export function ofLog({ logGroupName }: ILogGroup): Metric {
  const dimensionsMap = { LogGroupName: logGroupName };
  return new Metric({
    namespace: 'AWS/Logs',
    metricName: 'IncomingBytes',
    dimensionsMap,
    statistic: 'Sum',
    period: PERIOD,
  });
}
