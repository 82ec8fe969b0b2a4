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

/** DynamoDB publishes no zeros, and without data its alarms might stay raised: `share` fills in the zeros. */
export function capacityAlarms(parts: ServiceParts): readonly MetricAlarmSpec[] {
  // In 3 of 5 minutes, in more than 1% of the requests. The SDK's retries absorb less.
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
      firstStep: `${runQuery('Latency by layer')} The dashboard shows the latency of DynamoDB.`,
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
        'run "aws lambda get-account-settings --query AccountLimit", then request more concurrent executions in Service Quotas.',
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
          : 'On-demand capacity adapts to a sudden rise within minutes.';
        return [
          {
            name: `${id}TableThrottles`,
            runbook: `${runbook}Throttles`,
            meaning: `In 3 of the last 5 minutes, DynamoDB throttled the ${name} table more than once per 100 requests.`,
            firstStep: `${runQuery('Requests by client')} ${remedy}`,
            ...sustained(...accessMetrics(table, (access) => `${access}ThrottleEvents`)),
          },
          {
            name: `${id}TableErrors`,
            runbook: `${runbook}Errors`,
            meaning: `In 3 of the last 5 minutes, DynamoDB failed with internal errors on the ${name} table more than once per 100 requests.`,
            firstStep:
              'open https://health.aws.amazon.com, and wait: clients can retry. If it persists, open a support case with AWS.',
            ...sustained(
              ...actions.map((action) => tableMetric(table, 'SystemErrors', action.replace('dynamodb:', ''))),
            ),
          },
        ];
      }),
  ];
}
