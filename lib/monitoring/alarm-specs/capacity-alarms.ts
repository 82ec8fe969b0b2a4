import { Duration } from 'aws-cdk-lib';
import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import {
  accessMetrics,
  apiFunctions,
  apiMetric,
  functionMetric,
  type ServiceParts,
  share,
  stageMetric,
  tableMetric,
} from '../metrics.ts';
import { runQuery } from '../saved-queries.ts';
import type { MetricAlarmSpec } from './alarm-spec.ts';

/** DynamoDB publishes no zeros, and an alarm without data could stay raised, so `share` fills in the zeros. */
export function capacityAlarms(parts: ServiceParts): readonly MetricAlarmSpec[] {
  // More than 1% of requests, in 3 of 5 minutes. The SDK's retries absorb anything below that.
  const sustained = (...counted: readonly Metric[]) => ({
    metric: share({
      of: Object.fromEntries(counted.map((metric, index) => [`counted${index || ''}`, metric])),
      requests: apiMetric(parts, 'Count'),
      period: Duration.minutes(1),
    }),
    threshold: 0.01,
    evaluation: { datapointsToAlarm: 3, evaluationPeriods: 5 },
  });
  return [
    {
      name: 'ApiLatency',
      meaning: 'In the last 15 minutes, p99 latency was above 1 s.',
      firstStep: `${runQuery('Latency by layer')} The dashboard shows DynamoDB latency.`,
      metric: apiMetric(parts, 'Latency', 'p99').with({ period: Duration.minutes(5) }),
      threshold: 1_000,
      evaluation: { datapointsToAlarm: 3, evaluationPeriods: 3 },
    },
    {
      name: 'ApiThrottles',
      meaning: 'In 3 of the last 5 minutes, API Gateway rejected more than 1% of requests with 429.',
      firstStep: runQuery('Throttled requests'),
      ...sustained(stageMetric(parts, 'Throttled')),
    },
    ...apiFunctions(parts).map(({ id, label, target }) => ({
      name: `${id}Throttles`,
      runbook: target === parts.authorize ? 'AuthorizeThrottles' : 'CreatePlantThrottles',
      meaning: `In 3 of the last 5 minutes, Lambda throttled more than 1% of requests (function: ${label}).`,
      firstStep:
        'run "aws lambda get-account-settings --query AccountLimit", then request a higher quota for concurrent executions in Service Quotas.',
      ...sustained(functionMetric(target, 'Throttles')),
    })),
    // A table that no function uses yet has no metrics.
    ...parts.tables
      .filter(({ actions }) => actions.length > 0)
      .flatMap((table) => {
        const { id, name, actions } = table;
        const isTokens = name === 'tokens';
        const runbook = isTokens ? 'TokensTable' : 'PlantsTable';
        const remedy = isTokens
          ? 'If authorizerCacheSeconds is 0, raise it to 60.'
          : 'If traffic has risen suddenly, wait: on-demand capacity adapts within minutes.';
        return [
          {
            name: `${id}TableThrottles`,
            runbook: `${runbook}Throttles`,
            meaning: `In 3 of the last 5 minutes, DynamoDB throttled more than 1 operation per 100 requests (table: ${name}).`,
            firstStep: `${runQuery('Requests by client')} ${remedy}`,
            ...sustained(...accessMetrics(table, (access) => `${access}ThrottleEvents`)),
          },
          {
            name: `${id}TableErrors`,
            runbook: `${runbook}Errors`,
            meaning: `In 3 of the last 5 minutes, DynamoDB returned more than 1 internal error per 100 requests (table: ${name}).`,
            firstStep:
              'open https://health.aws.amazon.com, and wait: clients can retry. If the errors persist, open a support case with AWS.',
            ...sustained(
              ...actions.map((action) => tableMetric(table, 'SystemErrors', action.replace('dynamodb:', ''))),
            ),
          },
        ];
      }),
  ];
}
