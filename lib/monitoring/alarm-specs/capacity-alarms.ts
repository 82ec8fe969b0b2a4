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

/** DynamoDB publishes no zeros, and an alarm whose data is missing could stay raised, so `share` fills in zeros. */
export function capacityAlarms(parts: ServiceParts): readonly MetricAlarmSpec[] {
  // The threshold is 1% of requests in 3 of 5 minutes, because the SDK's retries absorb anything below that.
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
      meaning: "In the last 15 minutes, the API's p99 latency was above 1 s.",
      firstStep: `${runQuery('Latency by layer')} The dashboard also shows the latency of DynamoDB.`,
      metric: apiMetric(parts, 'Latency', 'p99').with({ period: Duration.minutes(5) }),
      threshold: 1_000,
      evaluation: { datapointsToAlarm: 3, evaluationPeriods: 3 },
    },
    {
      name: 'ApiThrottles',
      meaning: 'In 3 of the last 5 minutes, API Gateway throttled more than 1% of requests (status 429).',
      firstStep: runQuery('Throttled requests'),
      ...sustained(stageMetric(parts, 'Throttled')),
    },
    ...apiFunctions(parts).map(({ id, label, target }) => ({
      name: `${id}Throttles`,
      runbook: target === parts.authorize ? 'AuthorizeThrottles' : 'CreatePlantThrottles',
      meaning: `In 3 of the last 5 minutes, Lambda throttled more than 1% of requests (function: ${label}).`,
      firstStep:
        'run "aws lambda get-account-settings --query AccountLimit" to see the limit on concurrent executions, and request a higher limit in Service Quotas.',
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
          ? 'If the option authorizerCacheSeconds is below 60, set it to 60, so that fewer requests read the table.'
          : 'If traffic has risen suddenly, wait: on-demand capacity adapts within minutes.';
        return [
          {
            name: `${id}TableThrottles`,
            runbook: `${runbook}Throttles`,
            meaning: `In 3 of the last 5 minutes, DynamoDB throttled more than 1 operation per 100 API requests (table: ${name}).`,
            firstStep: `${runQuery('Requests by client')} ${remedy}`,
            ...sustained(...accessMetrics(table, (access) => `${access}ThrottleEvents`)),
          },
          {
            name: `${id}TableErrors`,
            runbook: `${runbook}Errors`,
            meaning: `In 3 of the last 5 minutes, DynamoDB returned more than 1 internal error per 100 API requests (table: ${name}).`,
            firstStep:
              'open https://health.aws.amazon.com to see whether AWS reports a problem, and wait: clients can safely retry. If the errors persist, open a support case with AWS.',
            ...sustained(
              ...actions.map((action) => tableMetric(table, 'SystemErrors', action.replace('dynamodb:', ''))),
            ),
          },
        ];
      }),
  ];
}
