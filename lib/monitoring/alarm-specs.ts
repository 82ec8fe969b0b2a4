import { Duration } from 'aws-cdk-lib';
import type { IMetric, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { StageConfig } from '../config.ts';
import {
  apiFunctions,
  apiMetric,
  customMetric,
  faultShare,
  functionMetric,
  type ServiceParts,
  share,
  stageMetric,
} from './metrics.ts';

export interface AlarmSpec {
  readonly name: string;
  /** The heading of the alarm's runbook entry in docs/operations.md; the default is the alarm's name. */
  readonly runbook?: string;
  /** Tells the person on call what is wrong and since when. */
  readonly meaning: string;
  readonly metric: IMetric;
  /** The alarm is raised if the metric exceeds this value. */
  readonly threshold: number;
  /** In how many of how many periods the metric must exceed the threshold; the default is 1 of 1. */
  readonly periods?: readonly [breaching: number, evaluated: number];
  /** The `id`s of the functions whose deployments the alarm rolls back. Such an alarm notifies only CodeDeploy. */
  readonly rollsBack?: readonly string[];
}

/** The service level objective: over 28 days, 99.9% of requests have no fault, so 1 in 1,000 can have a fault. */
export const REQUESTS_PER_FAULT = 1_000;

/** The alarms of the service, in the order of the dashboard. */
export const alarmSpecs = (parts: ServiceParts, config: StageConfig): readonly AlarmSpec[] => [
  ...errorBudgetAlarms(parts),
  ...rollbackAlarms(parts),
  ...clientAlarms(parts, config),
  ...capacityAlarms(parts),
];

/** The rates and windows are from Google's SRE Workbook (https://sre.google/workbook/alerting-on-slos). */
const errorBudgetAlarms = (parts: ServiceParts): AlarmSpec[] =>
  [
    {
      name: 'ErrorBudgetFast',
      rate: 14.4,
      period: Duration.hours(1),
      of: 'More than 1.44% in the last hour',
    },
    { name: 'ErrorBudgetSlow', rate: 6, period: Duration.hours(6), of: 'More than 0.6% in the last 6 hours' },
    { name: 'ErrorBudgetTicket', rate: 1, period: Duration.days(3), of: 'More than 0.1% in the last 3 days' },
  ].map(({ name, rate, period, of }) => ({
    name,
    meaning: `${of}, and at least 5 requests, failed because of a service fault.`,
    // Fewer than 5 faults can be chance: at one request a minute, a single fault is 1.7% of an hour's requests.
    metric: faultShare(parts, period, { of: 'counted', value: 5 }),
    threshold: rate / REQUESTS_PER_FAULT,
    // The alarm ends only after two windows below the threshold, so that a share close to it causes few emails.
    periods: [1, 2],
  }));

function rollbackAlarms(parts: ServiceParts): AlarmSpec[] {
  /** Covers the 5 minutes of a canary. Requires at least 2 faults, because a single fault can be chance. */
  const inCanary = (counted: Metric, requests: Metric) => ({
    metric: share({
      of: { counted },
      requests,
      period: Duration.minutes(5),
      minimum: { of: 'counted', value: 2 },
    }),
    threshold: 0.005,
  });
  // The function logs `Faults` as 0 or 1 for every request, so the sample count is the number of requests.
  const faults = (service: string) =>
    inCanary(customMetric(parts, service, 'Faults'), customMetric(parts, service, 'Faults', 'SampleCount'));
  return [
    ...parts.operations.flatMap(({ id, operationId, functionName, function: target }) => [
      {
        name: `${id}Faults`,
        runbook: 'CreatePlantFaults',
        meaning: `In the last 5 minutes, more than 0.5% of ${operationId} requests failed because of a service fault (error 1500 or 1599).`,
        ...faults(functionName),
        rollsBack: [id],
      },
      {
        name: `${id}Errors`,
        runbook: 'CreatePlantErrors',
        meaning: `In the last 5 minutes, ${operationId} failed to start, crashed, timed out or ran out of memory in more than 0.5% of its invocations.`,
        ...inCanary(functionMetric(target, 'Errors'), functionMetric(target, 'Invocations')),
        rollsBack: [id],
      },
    ]),
    {
      name: 'AuthorizeFaults',
      meaning: 'In the last 5 minutes, more than 0.5% of token checks failed because of a service fault.',
      ...faults('authorize'),
      rollsBack: ['Authorize'],
    },
    // Also detects an authorizer that cannot run. Lambda's metric `Errors` would count every rejected token too,
    // because a TOKEN authorizer rejects a token by throwing an error.
    {
      name: 'ApiServerErrors',
      meaning:
        'In the last 5 minutes, more than 0.5% of responses had a 5xx status, because the authorizer or an operation failed or could not run.',
      ...inCanary(apiMetric(parts, '5XXError'), apiMetric(parts, 'Count')),
      // Rolls back every function, because only API Gateway notices that a function returns an invalid response.
      rollsBack: apiFunctions(parts).map(({ id }) => id),
    },
  ];
}

function clientAlarms(parts: ServiceParts, { expectedRequestsPerMinute }: StageConfig): AlarmSpec[] {
  const period = Duration.minutes(15);
  /** Detects a client that has a bug, or a version that rejects every request: rejections do not count as faults. */
  const rejecting = (counted: Metric, requests: Metric) => ({
    metric: share({ of: { counted }, requests, period, minimum: { of: 'requests', value: 20 } }),
    threshold: 0.2,
  });
  return [
    ...parts.operations.map(({ id, operationId, functionName }) => ({
      name: `${id}ClientErrors`,
      runbook: 'CreatePlantClientErrors',
      meaning: `In the last 15 minutes, ${operationId} rejected more than 20% of its requests.`,
      ...rejecting(
        customMetric(parts, functionName, 'ClientErrors'),
        customMetric(parts, functionName, 'Faults', 'SampleCount'),
      ),
    })),
    {
      name: 'AuthorizeClientErrors',
      meaning: 'In the last 15 minutes, more than 20% of requests were rejected with 401 or 403.',
      ...rejecting(stageMetric(parts, 'RejectedCredentials'), apiMetric(parts, 'Count')),
    },
    {
      name: 'UnexpectedTraffic',
      meaning: `In the last 15 minutes, the API received more than ${expectedRequestsPerMinute} requests per minute on average.`,
      metric: apiMetric(parts, 'Count').with({ period }),
      threshold: expectedRequestsPerMinute * period.toMinutes(),
    },
  ];
}

const capacityAlarms = (parts: ServiceParts): AlarmSpec[] => [
  {
    name: 'ApiLatency',
    meaning: "In the last 15 minutes, the API's p99 latency was above 1 s.",
    metric: apiMetric(parts, 'Latency', 'p99').with({ period: Duration.minutes(5) }),
    threshold: 1_000,
    periods: [3, 3],
  },
  {
    name: 'ApiThrottles',
    meaning: 'In 3 of the last 5 minutes, API Gateway throttled more than 1% of requests (status 429).',
    metric: share({
      of: { counted: stageMetric(parts, 'Throttled') },
      requests: apiMetric(parts, 'Count'),
      period: Duration.minutes(1),
    }),
    threshold: 0.01,
    periods: [3, 5],
  },
];
