import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { METRICS_NAMESPACE, type MetricName } from '../../lambda/shared/log/request-log.ts';
import { REJECTED_CREDENTIALS_METRIC, THROTTLED_METRIC } from '../api/access-log.ts';
import type { DeployedOperation, PlantsApi } from '../api/plants-api.ts';
import type { ApiFunction } from '../functions/node-function.ts';
import type { DeployedTable } from '../tables.ts';

/** The parts of the service that have metrics. */
export interface ServiceParts {
  readonly stage: string;
  readonly stackName: string;
  readonly operations: readonly DeployedOperation[];
  readonly authorize: ApiFunction;
  readonly api: PlantsApi;
  readonly tables: readonly DeployedTable[];
}

const PERIOD = Duration.minutes(1);

/**
 * A custom metric of a function, optionally for one error code.
 *
 * @param service what the function logs as `service`: its folder, but `authorize` for both authorizers
 */
export function customMetric(
  { stage }: ServiceParts,
  service: string,
  metricName: MetricName,
  statistic: string,
  code?: number,
): Metric {
  const dimensions = { service, stage, ...(code === undefined ? {} : { error: `${code}` }) };
  return metric(METRICS_NAMESPACE, metricName, dimensions, statistic);
}

/** The faults of all operations, and not those of the authorizer. */
export function faultsOfOperations({ stage }: ServiceParts): Metric {
  return metric(METRICS_NAMESPACE, 'Faults' satisfies MetricName, { stage });
}

/** Requests that API Gateway rejected with 429. */
export function throttledRequests({ stage }: ServiceParts): Metric {
  return metric(METRICS_NAMESPACE, THROTTLED_METRIC, { stage });
}

/** Requests that were rejected with 401 or 403. */
export function rejectedCredentials({ stage }: ServiceParts): Metric {
  return metric(METRICS_NAMESPACE, REJECTED_CREDENTIALS_METRIC, { stage });
}

/**
 * Does not use the CDK's `deploymentStage.metric`, because it refers to the stage: the alarm would depend on
 * the stage, the stage on the authorizer's alias, and the alias on the alarm that rolls it back, a cycle.
 */
export function apiMetric({ stage, stackName }: ServiceParts, metricName: string, statistic: string): Metric {
  return metric('AWS/ApiGateway', metricName, { ApiName: stackName, Stage: stage }, statistic);
}

/** A metric of the live alias: of both versions while a deployment shifts traffic. */
export function functionMetric({ alias }: ApiFunction, metricName: string, statistic: string): Metric {
  return alias.metric(metricName, { statistic, period: PERIOD });
}

export function tableMetric({ table }: DeployedTable, metricName: string, operation?: string): Metric {
  const dimensions = operation !== undefined && {
    dimensionsMap: { TableName: table.tableName, Operation: operation },
  };
  return table.metric(metricName, { statistic: 'Sum', period: PERIOD, ...dimensions });
}

const READ = /:(BatchGet|Get|Query|Scan)/;

/** What the functions do with a table, as in the names of DynamoDB's metrics. */
export function accesses({ actions }: DeployedTable): readonly string[] {
  return [...new Set(actions.map((action) => (READ.test(action) ? 'Read' : 'Write')))];
}

/** A metric of DynamoDB for the reads of a table, for its writes, or for both. */
export function accessMetrics(table: DeployedTable, metricName: (access: string) => string): Metric[] {
  return accesses(table).map((access) =>
    tableMetric(table, metricName(access)).with({ label: `${access.toLowerCase()}s of ${table.name}` }),
  );
}

interface ShareProps {
  /** What is counted, by the id that it has in the expression. */
  readonly of: Readonly<Record<string, Metric>>;
  readonly requests: Metric;
  readonly period: Duration;
  /** With fewer, the share is 0: one of a handful of requests says little. */
  readonly minimum?: { readonly count: number } | { readonly requests: number } | undefined;
  readonly label?: string;
}

/** What share of the requests is counted, as metric math; a counter without data counts as 0. */
export function share({ of, requests, period, minimum, label }: ShareProps): MathExpression {
  const count = Object.keys(of)
    .map((id) => `FILL(${id}, 0)`)
    .join(' + ');
  const quotient = `(${count}) / requests`;
  return new MathExpression({
    expression: minimum === undefined ? quotient : `IF(${condition(count, minimum)}, ${quotient}, 0)`,
    // With the period of the expression: the CDK would override another one, with a warning.
    usingMetrics: Object.fromEntries(
      Object.entries({ ...of, requests }).map(([id, each]) => [id, each.with({ period })]),
    ),
    period,
    label: label ?? 'share of the requests',
  });
}

function condition(count: string, minimum: NonNullable<ShareProps['minimum']>): string {
  return 'count' in minimum ? `${count} >= ${minimum.count}` : `FILL(requests, 0) >= ${minimum.requests}`;
}

/** The bytes written to a log group. */
export function logMetric({ logGroupName }: ILogGroup): Metric {
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
