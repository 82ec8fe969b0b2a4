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
import { savedQueries } from '../saved-queries.ts';
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
    'Run: aws lambda get-account-settings --query AccountLimit. Request more concurrent executions in Service Quotas.';
  return [
    {
      name: 'ApiLatency',
      meaning: 'For a quarter of an hour, one request in a hundred took longer than a second.',
      firstStep: 'On the dashboard, compare the latency of the API, of the operations and of DynamoDB.',
      metric: apiMetric(parts, 'Latency', 'p99').with({ period: Duration.minutes(5) }),
      threshold: 1_000,
      evaluation: { datapointsToAlarm: 3, evaluationPeriods: 3 },
    },
    {
      name: 'ApiThrottles',
      meaning: 'API Gateway throttled more than 1 % of the requests (status 429).',
      firstStep: `In Logs Insights over the access log, run: ${savedQueries.throttledRequests.query}`,
      ...sustained(parts, [throttledRequests(parts)]),
    },
    ...parts.operations.map(({ id, operationId, function: apiFunction }) => ({
      name: `${id}Throttles`,
      runbook: 'CreatePlantThrottles',
      meaning: `Lambda had no concurrency left for ${operationId} in more than 1 % of the requests.`,
      firstStep: quota,
      ...sustained(parts, [functionMetric(apiFunction, 'Throttles', 'Sum')]),
    })),
    {
      name: 'AuthorizeThrottles',
      meaning: 'Lambda had no concurrency left for the authorizer in more than 1 % of the requests.',
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
  const isTokens = name === 'tokens';
  const runbook = isTokens ? 'TokensTable' : 'PlantsTable';
  return [
    {
      name: `${id}TableThrottles`,
      runbook: `${runbook}Throttles`,
      meaning: `DynamoDB throttled ${accessed.map((access) => `${access}s`).join(' and ')} of ${name}, more than one for a hundred requests.`,
      firstStep: isTokens
        ? 'Check that the authorizer cache is on: authorizerCacheSeconds must not be 0.'
        : 'Look for a sudden rise of the requests on the dashboard; on-demand capacity follows within minutes.',
      ...sustained(parts, throttles),
    },
    {
      name: `${id}TableErrors`,
      runbook: `${runbook}Errors`,
      meaning: `DynamoDB failed to ${accessed.join(' or ')} ${name} with errors of its own, more than one for a hundred requests.`,
      firstStep: 'Wait: clients may retry. Read the AWS Health Dashboard; if it lasts, open a case with AWS.',
      ...sustained(parts, errors),
    },
  ];
}
