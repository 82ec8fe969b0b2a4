import { Duration } from 'aws-cdk-lib';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { METRICS_NAMESPACE, type MetricName, type ServiceName } from '../../lambda/shared/log/metrics.ts';
import { THROTTLED_METRIC } from '../api/access-log.ts';
import type { PlantsApi } from '../api/plants-api.ts';
import type { NodeFunction } from '../functions/node-function.ts';
import { stackName } from '../names.ts';
import type { StageName } from '../stage-names.ts';

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
export type Table = Pick<ITableV2, 'tableName' | 'metric'>;

const PERIOD = Duration.minutes(1);

/** What a function says of its requests; with an error number, of those that it answered so. */
export function emitted(
  { stage }: ServiceParts,
  service: ServiceName,
  metricName: MetricName,
  statistic: string,
  error?: number,
): Metric {
  const dimensions = { service, stage, ...(error === undefined ? {} : { error: `${error}` }) };
  return metric(METRICS_NAMESPACE, metricName, dimensions, statistic);
}

/** Requests that API Gateway answered with 429. */
export function throttledRequests({ stage }: ServiceParts): Metric {
  return metric(METRICS_NAMESPACE, THROTTLED_METRIC, { stage });
}

/**
 * Not by CDK's `deploymentStage.metric`, which refers to the stage. An alarm on that would wait for the stage,
 * the stage for the authorizer's alias, and the alias for the alarms that roll it back: a cycle.
 */
export function ofApi({ stage }: ServiceParts, metricName: string, statistic: string): Metric {
  return metric('AWS/ApiGateway', metricName, { ApiName: stackName(stage), Stage: stage }, statistic);
}

/** Of the version or, while one takes over from another, the versions in service. */
export function ofFunction({ live }: NodeFunction, metricName: string, statistic: string): Metric {
  return live.metric(metricName, { statistic, period: PERIOD });
}

export function ofTable(table: Table, metricName: string, operation?: string): Metric {
  const ofOperation = operation !== undefined && {
    dimensionsMap: { TableName: table.tableName, Operation: operation },
  };
  return table.metric(metricName, { statistic: 'Sum', period: PERIOD, ...ofOperation });
}

/** Bytes written to a log group. */
export function ofLog({ logGroupName }: ILogGroup): Metric {
  return metric('AWS/Logs', 'IncomingBytes', { LogGroupName: logGroupName });
}

function metric(
  namespace: string,
  metricName: string,
  dimensionsMap: Record<string, string>,
  statistic = 'Sum',
): Metric {
  return new Metric({ namespace, metricName, dimensionsMap, statistic, period: PERIOD });
}
