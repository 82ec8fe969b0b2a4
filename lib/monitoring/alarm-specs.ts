import { Duration } from 'aws-cdk-lib';
import {
  ComparisonOperator,
  type IMetric,
  type Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { apiFunctions, type ServiceParts } from '../service-parts.ts';
import type { StageConfig } from '../stage-config.ts';
import {
  accessLogLines,
  aliasMetric,
  apiMetric,
  daysToExpiry,
  faultShare,
  functionMetric,
  REQUESTS_PER_FAULT,
  requestCount,
  share,
  stageMetric,
} from './metrics.ts';

export interface AlarmSpec {
  readonly name: string;
  /** The heading of the alarm's entry in docs/runbook.md; the default is the alarm's name. */
  readonly runbook?: string;
  /** Tells the person on call what is wrong and since when. */
  readonly meaning: string;
  /** What this person does first. The runbook's entry goes on from there. */
  readonly firstStep: string;
  readonly metric: IMetric;
  readonly threshold: number;
  /** The default is GREATER_THAN_THRESHOLD. */
  readonly comparisonOperator?: ComparisonOperator;
  /** The default is NOT_BREACHING, because no data means no requests. */
  readonly treatMissingData?: TreatMissingData;
  /** In how many of how many periods the metric must breach the threshold; the default is 1 of 1. */
  readonly periods?: readonly [breaching: number, evaluated: number];
  /**
   * A page wakes somebody up; a ticket can wait for working hours. An alarm that rolls back deployments, of the functions
   * with these `id`s, notifies only CodeDeploy, because it would page somebody too often.
   */
  readonly action: 'page' | 'ticket' | { readonly rollBack: readonly string[] };
}

/** The alarms of the service, in the order of the dashboard (docs/decisions.md#alarms-and-rollbacks). */
export const alarmSpecs = (parts: ServiceParts, config: StageConfig): readonly AlarmSpec[] => [
  ...errorBudgets(parts),
  ...rollbacks(parts),
  ...rejectedRequests(parts),
  ...missingLogs(parts),
  ...trafficAndLatency(parts, config),
  ...certificate(config),
];

const percent = (fraction: number) => `${Number((100 * fraction).toPrecision(4))}%`;

/** Fewer faults can be chance: at one request a minute, a single fault is 1.7% of an hour's requests. */
const MIN_FAULTS = 5;

const QUARTER_HOUR = Duration.minutes(15);

/**
 * The burn rates and windows are from Google's SRE Workbook (https://sre.google/workbook/alerting-on-slos). Each alarm
 * evaluates only one window, so it reports no second incident while it is raised.
 */
const errorBudgets = (parts: ServiceParts): readonly AlarmSpec[] => {
  const budget = (name: string, window: string, burnRate: number, period: Duration) => ({
    name,
    runbook: 'ErrorBudget',
    meaning: `In the last ${window}, more than ${percent(burnRate / REQUESTS_PER_FAULT)} of requests, and at least ${MIN_FAULTS}, failed because of a service fault.`,
    firstStep:
      'If this began with a deployment, roll back. The saved query "Faults", over that time, lists the faults.',
    metric: faultShare(parts, period, MIN_FAULTS),
    threshold: burnRate / REQUESTS_PER_FAULT,
  });
  return [
    { ...budget('ErrorBudgetFast', 'hour', 14.4, Duration.hours(1)), action: 'page' },
    { ...budget('ErrorBudgetSlow', '6 hours', 6, Duration.hours(6)), action: 'page' },
    { ...budget('ErrorBudgetTicket', '3 days', 1, Duration.days(3)), action: 'ticket' },
  ];
};

const ROLLBACK_SHARE = 0.005;

const rollbacks = (parts: ServiceParts): readonly AlarmSpec[] => [
  ...apiFunctions(parts).map(({ id, label, service }) => ({
    name: `${id}Faults`,
    runbook: 'Faults',
    meaning: `In the last 5 minutes, more than ${percent(ROLLBACK_SHARE)} of requests failed because of a service fault (function: ${label}).`,
    firstStep: 'Run the saved query "Faults".',
    ...rollbackIf(functionMetric(parts, service, 'Faults'), requestCount(parts, service)),
    action: { rollBack: [id] },
  })),
  // The authorizer has no such alarm: it rejects a token by throwing an error, which `Errors` counts.
  ...parts.operations.map(({ id, operationId, apiFunction }) => ({
    name: `${id}Errors`,
    runbook: 'FailedInvocations',
    meaning: `In the last 5 minutes, ${operationId} failed to start, crashed, timed out or ran out of memory in more than ${percent(ROLLBACK_SHARE)} of its invocations.`,
    firstStep: 'Run the saved query "Failed invocations".',
    ...rollbackIf(aliasMetric(apiFunction, 'Errors'), aliasMetric(apiFunction, 'Invocations')),
    action: { rollBack: [id] },
  })),
  {
    name: 'ApiServerErrors',
    meaning: `In the last 5 minutes, more than ${percent(ROLLBACK_SHARE)} of responses had a 5xx status, because the authorizer or an operation failed or could not run.`,
    firstStep: 'Run the saved query "Failed requests".',
    ...rollbackIf(apiMetric(parts, '5XXError'), apiMetric(parts, 'Count')),
    // Every function, because only API Gateway notices that a function cannot run or returns an invalid response.
    action: { rollBack: apiFunctions(parts).map(({ id }) => id) },
  },
];

/** The period is as long as a canary. Requires at least 2 faults, because a single fault can be chance. */
const rollbackIf = (counted: Metric, requests: Metric) => ({
  metric: share({
    numerator: { counted },
    requests,
    period: Duration.minutes(5),
    minNumerator: 2,
  }),
  threshold: ROLLBACK_SHARE,
});

/** Rejections do not count as faults, so only these alarms detect a version that rejects valid requests. */
const rejectedRequests = (parts: ServiceParts): readonly AlarmSpec[] =>
  rejections(parts).flatMap(({ id, runbook, rejected, query, ...props }) => {
    const threshold = 0.9;
    const rejectsMost = {
      runbook,
      firstStep: `If this began with a deployment, roll back. The saved query "${query}" lists the errors.`,
      threshold,
    };
    return [
      {
        ...rejectsMost,
        name: `${id}RejectsMost`,
        meaning: `In the last 15 minutes, more than ${percent(threshold)} of ${rejected}.`,
        // Fewer than 10 may be somebody who tries the API; they must not wake anybody up.
        metric: share({ ...props, period: QUARTER_HOUR, minRequests: 10 }),
        action: 'page',
      },
      {
        ...rejectsMost,
        name: `${id}RejectsMostTicket`,
        meaning: `In the last 6 hours, more than ${percent(threshold)} of ${rejected}.`,
        // Detects within a day that a service with few requests rejects them all.
        metric: share({ ...props, period: Duration.hours(6), minRequests: 5 }),
        action: 'ticket',
      },
      {
        name: `${id}ClientErrors`,
        runbook,
        meaning: `In the last 15 minutes, more than 20% of ${rejected}.`,
        firstStep: `Run the saved query "${query}".`,
        metric: share({ ...props, period: QUARTER_HOUR, minRequests: 20 }),
        threshold: 0.2,
        action: 'ticket',
      },
    ];
  });

/** Which requests are rejected: by an operation, or because of their tokens. */
const rejections = (parts: ServiceParts) => [
  ...parts.operations.map(({ id, operationId, functionName }) => ({
    id,
    runbook: 'RejectedRequests',
    rejected: `${operationId} requests were rejected`,
    query: 'Rejected requests',
    numerator: { counted: functionMetric(parts, functionName, 'ClientErrors') },
    requests: requestCount(parts, functionName),
  })),
  {
    id: 'Authorize',
    runbook: 'RejectedTokens',
    rejected: 'requests to operations got 401 or 403',
    query: 'Failed requests',
    numerator: { counted: stageMetric(parts, 'RejectedCredentials') },
    // Not the API's `Count`, because 404s, such as those of scanners, would hide that all tokens are rejected.
    requests: stageMetric(parts, 'Faults', 'SampleCount'),
    addNumerator: true,
  },
];

/** Only a function's log shows faults with status 400, and only the access log shows 401, 403 and 429. */
const missingLogs = (parts: ServiceParts): readonly AlarmSpec[] => {
  const missing = (
    id: string,
    what: string,
    { lines, requests }: { lines: Metric; requests: Metric },
  ): AlarmSpec => ({
    name: `${id}LogsMissing`,
    meaning: `In the last hour, fewer than half of ${what} were logged, so other alarms may not notice failures.`,
    firstStep: 'See whether the log group still exists and gets lines.',
    metric: share({
      numerator: { lines },
      requests,
      period: Duration.hours(1),
      minRequests: 20,
      shareOfFew: 1,
    }),
    threshold: 0.5,
    comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
    action: 'ticket',
  });
  return [
    missing('Api', 'requests to the API', {
      lines: accessLogLines(parts),
      requests: apiMetric(parts, 'Count'),
    }),
    ...parts.operations.map(({ id, operationId, functionName, apiFunction }) => ({
      ...missing(id, `${operationId} requests`, {
        lines: requestCount(parts, functionName),
        requests: aliasMetric(apiFunction, 'Invocations'),
      }),
      runbook: 'FunctionLogsMissing',
    })),
  ];
};

const trafficAndLatency = (
  parts: ServiceParts,
  { expectedRequestsPerMinute }: StageConfig,
): readonly AlarmSpec[] => [
  {
    name: 'UnexpectedTraffic',
    meaning: `In the last 15 minutes, the API received more than ${expectedRequestsPerMinute} requests per minute on average.`,
    firstStep: 'Run the saved query "Requests by client".',
    metric: apiMetric(parts, 'Count').with({ period: QUARTER_HOUR }),
    threshold: expectedRequestsPerMinute * QUARTER_HOUR.toMinutes(),
    action: 'ticket',
  },
  {
    name: 'ApiLatency',
    meaning: "In the last 15 minutes, the API's p99 latency was above 1 s.",
    firstStep: "See the dashboard's graph Latency.",
    metric: apiMetric(parts, 'Latency', 'p99').with({ period: Duration.minutes(5) }),
    threshold: 1_000,
    periods: [3, 3],
    action: 'ticket',
  },
  {
    name: 'ApiThrottles',
    meaning:
      'In 3 of the last 5 minutes, API Gateway throttled more than 1% of requests (status 429).',
    firstStep: 'Run the saved query "Requests by client".',
    metric: share({
      numerator: { counted: stageMetric(parts, 'Throttled') },
      requests: apiMetric(parts, 'Count'),
      period: Duration.minutes(1),
    }),
    threshold: 0.01,
    periods: [3, 5],
    action: 'page',
  },
];

const certificate = ({ domain }: StageConfig): readonly AlarmSpec[] =>
  domain === undefined
    ? []
    : [
        {
          name: 'CertificateExpiry',
          meaning: "The custom domain's certificate expires in less than 30 days, or has expired.",
          firstStep: 'In AWS Certificate Manager, see why the certificate was not renewed.',
          metric: daysToExpiry(domain.certificateArn),
          threshold: 30,
          comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
          // The metric ends with the certificate.
          treatMissingData: TreatMissingData.BREACHING,
          action: 'ticket',
        },
      ];
