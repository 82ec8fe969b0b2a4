import { Duration } from 'aws-cdk-lib';
import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { DeployedTable } from '../../tables.ts';
import {
  accesses,
  accessMetrics,
  apiMetric,
  functionMetric,
  type ServiceParts,
  share,
  tableMetric,
  throttledRequests,
} from '../metrics.ts';
import { runQuery, savedQueries } from '../saved-queries.ts';
import type { MetricAlarmSpec } from './alarm-spec.ts';

/** For three minutes of five, more than 1 % of the requests. The SDK's retries absorb less. */
const SUSTAINED = { datapointsToAlarm: 3, evaluationPeriods: 5 };
const SUSTAINED_SHARE = 0.01;

function sustained(parts: ServiceParts, counted: readonly Metric[]) {
  return {
    metric: share({
      of: Object.fromEntries(counted.map((metric, index) => [`counted${index || ''}`, metric])),
      requests: apiMetric(parts, 'Count', 'Sum'),
      period: Duration.minutes(1),
    }),
    threshold: SUSTAINED_SHARE,
    evaluation: SUSTAINED,
  };
}

/** DynamoDB publishes no zeros, and without data its alarms might stay raised: `share` fills in the zeros. */
export function capacityAlarms(parts: ServiceParts): readonly MetricAlarmSpec[] {
  const quota =
    'run "aws lambda get-account-settings --query AccountLimit", then request more concurrent executions in Service Quotas.';
  return [
    {
      name: 'ApiLatency',
      meaning: 'In the last 15 minutes, p99 latency was above 1 s.',
      firstStep: `${runQuery(savedQueries.latencyByLayer)} The dashboard shows the latency of DynamoDB.`,
      metric: apiMetric(parts, 'Latency', 'p99').with({ period: Duration.minutes(5) }),
      threshold: 1_000,
      evaluation: { datapointsToAlarm: 3, evaluationPeriods: 3 },
    },
    {
      name: 'ApiThrottles',
      meaning: 'API Gateway rejected more than 1% of requests with 429, in 3 of the last 5 minutes.',
      firstStep: runQuery(savedQueries.throttledRequests),
      ...sustained(parts, [throttledRequests(parts)]),
    },
    ...parts.operations.map(({ id, operationId, function: apiFunction }) => ({
      name: `${id}Throttles`,
      runbook: 'CreatePlantThrottles',
      meaning: `Lambda throttled ${operationId} for more than 1% of requests, in 3 of the last 5 minutes.`,
      firstStep: quota,
      ...sustained(parts, [functionMetric(apiFunction, 'Throttles', 'Sum')]),
    })),
    {
      name: 'AuthorizeThrottles',
      meaning: 'Lambda throttled the authorizer for more than 1% of requests, in 3 of the last 5 minutes.',
      firstStep: quota,
      ...sustained(parts, [functionMetric(parts.authorize, 'Throttles', 'Sum')]),
    },
    ...parts.tables.flatMap((table) => tableAlarms(parts, table)),
  ];
}

function tableAlarms(parts: ServiceParts, table: DeployedTable): readonly MetricAlarmSpec[] {
  const { id, name, actions } = table;
  const accessed = accesses(table).map((access) => access.toLowerCase());
  // No function uses it yet.
  if (accessed.length === 0) return [];
  const throttles = accessMetrics(table, (access) => `${access}ThrottleEvents`);
  const errors = actions.map((action) => tableMetric(table, 'SystemErrors', action.replace('dynamodb:', '')));
  const operations = accessed.map((access) => `${access}s`).join(' and ');
  const isTokens = name === 'tokens';
  const runbook = isTokens ? 'TokensTable' : 'PlantsTable';
  return [
    {
      name: `${id}TableThrottles`,
      runbook: `${runbook}Throttles`,
      meaning: `DynamoDB throttled ${operations} of ${name}: more than 1 per 100 requests, in 3 of the last 5 minutes.`,
      firstStep: `${runQuery(savedQueries.requestsByClient)} ${
        isTokens
          ? 'If authorizerCacheSeconds is 0, raise it to 60.'
          : 'On-demand capacity follows a sudden rise within minutes.'
      }`,
      ...sustained(parts, throttles),
    },
    {
      name: `${id}TableErrors`,
      runbook: `${runbook}Errors`,
      meaning: `DynamoDB had internal errors in ${operations} of ${name}: more than 1 per 100 requests, in 3 of the last 5 minutes.`,
      firstStep:
        'open https://health.aws.amazon.com and wait: clients may retry. If it lasts, open a case with AWS.',
      ...sustained(parts, errors),
    },
  ];
}
