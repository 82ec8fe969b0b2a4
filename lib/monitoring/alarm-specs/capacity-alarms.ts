import { Duration } from 'aws-cdk-lib';
import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import {
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

function sustained(parts: ServiceParts, counted: Metric) {
  return {
    metric: share({
      of: { counted },
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
  const wait =
    'open https://health.aws.amazon.com and wait: clients may retry. If it lasts, open a case with AWS.';
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
      ...sustained(parts, throttledRequests(parts)),
    },
    ...parts.operations.map(({ id, operationId, function: apiFunction }) => ({
      name: `${id}Throttles`,
      runbook: 'CreatePlantThrottles',
      meaning: `Lambda throttled ${operationId} for more than 1% of requests, in 3 of the last 5 minutes.`,
      firstStep: quota,
      ...sustained(parts, functionMetric(apiFunction, 'Throttles', 'Sum')),
    })),
    {
      name: 'AuthorizeThrottles',
      meaning: 'Lambda throttled the authorizer for more than 1% of requests, in 3 of the last 5 minutes.',
      firstStep: quota,
      ...sustained(parts, functionMetric(parts.authorize, 'Throttles', 'Sum')),
    },
    {
      name: 'PlantsTableThrottles',
      meaning:
        'DynamoDB throttled writes of plants: more than 1 per 100 requests, in 3 of the last 5 minutes.',
      firstStep: `${runQuery(savedQueries.requestsByClient)} On-demand capacity follows a sudden rise within minutes.`,
      ...sustained(parts, tableMetric(parts.plants, 'WriteThrottleEvents')),
    },
    {
      name: 'TokensTableThrottles',
      meaning:
        'DynamoDB throttled reads of tokens: more than 1 per 100 requests, in 3 of the last 5 minutes.',
      firstStep: `${runQuery(savedQueries.requestsByClient)} If authorizerCacheSeconds is 0, raise it to 60.`,
      ...sustained(parts, tableMetric(parts.tokens, 'ReadThrottleEvents')),
    },
    {
      name: 'PlantsTableErrors',
      meaning:
        'DynamoDB had internal errors in writes of plants: more than 1 per 100 requests, in 3 of the last 5 minutes.',
      firstStep: wait,
      ...sustained(parts, tableMetric(parts.plants, 'SystemErrors', 'PutItem')),
    },
    {
      name: 'TokensTableErrors',
      meaning:
        'DynamoDB had internal errors in reads of tokens: more than 1 per 100 requests, in 3 of the last 5 minutes.',
      firstStep: wait,
      ...sustained(parts, tableMetric(parts.tokens, 'SystemErrors', 'GetItem')),
    },
  ];
}
