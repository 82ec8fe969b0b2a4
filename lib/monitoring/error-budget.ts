import { Duration } from 'aws-cdk-lib';
import {
  AlarmRule,
  AlarmState,
  CompositeAlarm,
  GraphWidget,
  type IWidget,
  MathExpression,
  SingleValueWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { type AlarmText, createAlarm, type MetricAlarmSpec, ROLL_BACK } from './alarm-specs/alarm-spec.ts';
import { apiMetric, type ServiceParts, share, stageMetric } from './metrics.ts';
import { runQuery } from './saved-queries.ts';

/** The service level objective: over 28 days, 99.9% of requests have no fault, so 1 in 1,000 can have a fault. */
const REQUESTS_PER_FAULT = 1_000;

/** Fewer faults than this can be chance: at one request a minute, a single fault is 1.7% of an hour's requests. */
const MINIMUM = { of: 'counted', value: 5 } as const;

const FAULTS_FIRST = `if the faults began with a deployment, ${ROLL_BACK} Otherwise, ${runQuery('Faults')} If it finds none, ${runQuery('Server errors')}`;

interface BurnRateAlarmSpec extends AlarmText {
  /** The alarm is raised if the error budget is used up faster than this multiple of the allowed rate. */
  readonly rate: number;
  /** The window over which the rate is measured. It is long so that a few faults among many requests raise no alarm. */
  readonly long: Duration;
  /** The rate must also be exceeded in this window, so that the alarm ends soon after the faults end. */
  readonly short: Duration;
}

/**
 * The error budget alarms that need immediate action, with the rates and windows from Google's SRE Workbook.
 *
 * @see https://sre.google/workbook/alerting-on-slos/
 */
export const burnRateAlarms: readonly BurnRateAlarmSpec[] = [
  {
    name: 'ErrorBudgetFastBurn',
    meaning:
      'More than 1.44% of requests failed because of a service fault, both in the last hour (at least 5 faults) and in the last 5 minutes.',
    firstStep: FAULTS_FIRST,
    rate: 14.4,
    long: Duration.hours(1),
    short: Duration.minutes(5),
  },
  {
    name: 'ErrorBudgetSlowBurn',
    meaning:
      'More than 0.6% of requests failed because of a service fault, both in the last 6 hours (at least 5 faults) and in the last 30 minutes.',
    firstStep: FAULTS_FIRST,
    rate: 6,
    long: Duration.hours(6),
    short: Duration.minutes(30),
  },
];

/** The error budget alarm that can wait for working hours. */
export function budgetTicketAlarm(parts: ServiceParts): MetricAlarmSpec {
  return {
    name: 'ErrorBudgetTicket',
    meaning:
      'In the last 3 days, at least 5 requests, and more than 0.1% of all requests, failed because of a service fault. At this rate, the service will miss its 28-day objective. This alarm can wait until working hours.',
    firstStep: FAULTS_FIRST,
    // An alarm can evaluate at most 7 days of data, so it cannot evaluate all 28.
    metric: faultShare(parts, Duration.days(3), MINIMUM),
    threshold: 1 / REQUESTS_PER_FAULT,
  };
}

/** Creates an alarm that is raised while the error budget is used up faster than `rate` in both windows. */
export function createBurnRateAlarm(
  scope: Construct,
  { name, rate, long, short }: BurnRateAlarmSpec,
  parts: ServiceParts,
  alarmDescription: string,
): CompositeAlarm {
  const windows = new Construct(scope, `${name}Windows`);
  const threshold = rate / REQUESTS_PER_FAULT;
  // The alarm ends only after this many windows below the threshold, so that a share close to it causes few emails.
  const inWindow = (id: string, metric: MathExpression, evaluationPeriods: number) => {
    const condition = { metric, threshold, evaluation: { datapointsToAlarm: 1, evaluationPeriods } };
    const alarm = createAlarm(windows, id, condition, `An input to ${name}, which sends the email.`);
    return AlarmRule.fromAlarm(alarm, AlarmState.ALARM);
  };
  const alarmRule = AlarmRule.allOf(
    inWindow('Long', faultShare(parts, long, MINIMUM), 4),
    inWindow('Short', faultShare(parts, short), long.toMinutes() / short.toMinutes()),
  );
  return new CompositeAlarm(scope, name, { alarmRule, alarmDescription });
}

/** Returns widgets that show how fast the error budget is used up, and whether the objective is met. */
export function errorBudgetWidgets(parts: ServiceParts): IWidget[] {
  return [
    new GraphWidget({
      title: 'Burn rate of the error budget',
      left: [
        new MathExpression({
          expression: `share * ${REQUESTS_PER_FAULT}`,
          usingMetrics: { share: faultShare(parts, Duration.hours(1)) },
          period: Duration.hours(1),
          label: 'over 1 hour',
        }),
      ],
      leftAnnotations: [
        ...burnRateAlarms.map(({ name, rate }) => ({ value: rate, label: name })),
        { value: 1, label: 'ErrorBudgetTicket' },
      ],
      leftYAxis: { label: 'times the allowed rate', min: 0, showUnits: false },
      width: 16,
      height: 6,
    }),
    new SingleValueWidget({
      title: 'Requests without a fault in the last 28 days (objective: 99.9%)',
      metrics: [
        new MathExpression({
          expression: '100 * (1 - share)',
          usingMetrics: { share: faultShare(parts, Duration.days(1)) },
          period: Duration.days(1),
          label: '%',
        }),
      ],
      setPeriodToTimeRange: true,
      start: '-P28D',
      end: 'P0D',
      width: 8,
      height: 6,
    }),
  ];
}

/**
 * The share of requests that failed because of a service fault. An operation returns 400 for a fault, and every other
 * fault is a 5xx, so no fault is counted twice.
 */
function faultShare(parts: ServiceParts, period: Duration, minimum?: typeof MINIMUM): MathExpression {
  return share({
    // Uses the same two metrics for any number of operations, because an alarm can have at most 10 metrics.
    of: { faults: stageMetric(parts, 'Faults'), serverErrors: apiMetric(parts, '5XXError') },
    requests: apiMetric(parts, 'Count'),
    period,
    minimum,
    label: 'share of requests with a fault',
  });
}
