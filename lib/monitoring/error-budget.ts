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

/** The service level objective: of the requests of 28 days, 99.9 % end without a fault. One in a thousand may have one. */
const REQUESTS_PER_FAULT = 1_000;

/** Below this, a share of faults is chance: at one request a minute, a single fault is 1.7 % of an hour. */
const MINIMUM = { of: 'counted', value: 5 } as const;

const FAULTS_FIRST = `if it began with a deployment, ${ROLL_BACK} Otherwise ${runQuery('Faults')}`;

interface BurnRateAlarmSpec extends AlarmText {
  /** How many times faster than allowed the budget is used up. */
  readonly rate: number;
  /** The window in which it was used up so fast: one fault among many requests raises nothing. */
  readonly long: Duration;
  /** The window in which it still is: the alarm ends soon after the faults. */
  readonly short: Duration;
}

/**
 * The alarms on the error budget to be acted on at once, with the rates and windows of Google's SRE Workbook.
 *
 * @see https://sre.google/workbook/alerting-on-slos/
 */
export const burnRateAlarms: readonly BurnRateAlarmSpec[] = [
  {
    name: 'ErrorBudgetFastBurn',
    meaning:
      'In the last hour, more than 1.44% of requests failed because of a service fault; it is still happening.',
    firstStep: FAULTS_FIRST,
    rate: 14.4,
    long: Duration.hours(1),
    short: Duration.minutes(5),
  },
  {
    name: 'ErrorBudgetSlowBurn',
    meaning:
      'In the last six hours, more than 0.6% of requests failed because of a service fault; it is still happening.',
    firstStep: FAULTS_FIRST,
    rate: 6,
    long: Duration.hours(6),
    short: Duration.minutes(30),
  },
];

/** The alarm on the error budget to be acted on in working hours. */
export function budgetTicketAlarm(parts: ServiceParts): MetricAlarmSpec {
  return {
    name: 'ErrorBudgetTicket',
    meaning:
      'In the last three days, more than 0.1% of requests failed because of a service fault; at this rate the 28-day objective will be missed.',
    firstStep: `in working hours; ${FAULTS_FIRST}`,
    // CloudWatch evaluates at most seven days.
    metric: faultShare(parts, Duration.days(3), MINIMUM),
    threshold: 1 / REQUESTS_PER_FAULT,
  };
}

/** Creates an alarm that is raised while the error budget is used up faster than the rate in both windows. */
export function createBurnRateAlarm(
  scope: Construct,
  { name, rate, long, short }: BurnRateAlarmSpec,
  parts: ServiceParts,
  alarmDescription: string,
): CompositeAlarm {
  const windows = new Construct(scope, `${name}Windows`);
  const threshold = rate / REQUESTS_PER_FAULT;
  // Ends only after that many good windows: a share near the threshold must not send emails all the time.
  const inWindow = (id: string, metric: MathExpression, evaluationPeriods: number) => {
    const condition = { metric, threshold, evaluation: { datapointsToAlarm: 1, evaluationPeriods } };
    const alarm = createAlarm(windows, id, condition, `Input to ${name}; that alarm sends the email.`);
    return AlarmRule.fromAlarm(alarm, AlarmState.ALARM);
  };
  const alarmRule = AlarmRule.allOf(
    inWindow('Long', faultShare(parts, long, MINIMUM), 4),
    inWindow('Short', faultShare(parts, short), long.toMinutes() / short.toMinutes()),
  );
  return new CompositeAlarm(scope, name, { alarmRule, alarmDescription });
}

/** How fast the error budget is used up, and whether the objective is met. */
export function errorBudgetWidgets(parts: ServiceParts): IWidget[] {
  return [
    new GraphWidget({
      title: 'Burn rate of the error budget',
      left: [
        new MathExpression({
          expression: `share * ${REQUESTS_PER_FAULT}`,
          usingMetrics: { share: faultShare(parts, Duration.hours(1)) },
          period: Duration.hours(1),
          label: 'over an hour',
        }),
      ],
      leftAnnotations: [
        ...burnRateAlarms.map(({ name, rate }) => ({ value: rate, label: name })),
        { value: 1, label: 'ErrorBudgetTicket' },
      ],
      leftYAxis: { label: 'times the objective', min: 0, showUnits: false },
      width: 16,
      height: 6,
    }),
    new SingleValueWidget({
      title: 'Requests without a fault, 28 days (objective: 99.9 %)',
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
 * The share of requests that failed through a fault of the service. A fault of an operation is a 400, and every
 * other one a 5xx, so none is counted twice.
 */
function faultShare(parts: ServiceParts, period: Duration, minimum?: typeof MINIMUM): MathExpression {
  return share({
    // However many operations there are: an alarm has at most ten metrics.
    of: { faults: stageMetric(parts, 'Faults'), serverErrors: apiMetric(parts, '5XXError') },
    requests: apiMetric(parts, 'Count'),
    period,
    minimum,
    label: 'share of requests with a fault',
  });
}
