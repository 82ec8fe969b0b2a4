import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  AlarmRule,
  AlarmState,
  ComparisonOperator,
  CompositeAlarm,
  type MathExpression,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import { type AlarmText, type MetricAlarmSpec, ROLL_BACK } from './alarm-specs/alarm-spec.ts';
import { apiMetric, faultsOfOperations, type ServiceParts, share } from './metrics.ts';
import { runQuery, savedQueries } from './saved-queries.ts';

/** The service level objective: of the requests of 28 days, 99.9 % end without a fault. One in a thousand may have one. */
export const REQUESTS_PER_FAULT = 1_000;

/** Below this, a share of faults is chance: at one request a minute, a single fault is 1.7 % of an hour. */
const MINIMUM = { count: 5 };

interface BurnRate {
  /** How many times faster than allowed the budget is used up. */
  readonly rate: number;
  /** The window in which it was used up so fast: one fault among many requests raises nothing. */
  readonly long: Duration;
  /** The window in which it still is: the alarm ends soon after the faults. */
  readonly short: Duration;
}

const FAULTS_FIRST = `if it began with a deployment, ${ROLL_BACK} Otherwise ${runQuery(savedQueries.faults)}`;

interface BurnRateAlarmSpec extends AlarmText {
  readonly burnRate: BurnRate;
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
    burnRate: { rate: 14.4, long: Duration.hours(1), short: Duration.minutes(5) },
  },
  {
    name: 'ErrorBudgetSlowBurn',
    meaning:
      'In the last six hours, more than 0.6% of requests failed because of a service fault; it is still happening.',
    firstStep: FAULTS_FIRST,
    burnRate: { rate: 6, long: Duration.hours(6), short: Duration.minutes(30) },
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

/**
 * The share of requests that failed through a fault of the service. A fault of an operation is a 400, and every
 * other one a 5xx, so none is counted twice.
 */
export function faultShare(parts: ServiceParts, period: Duration, minimum?: typeof MINIMUM): MathExpression {
  return share({
    // However many operations there are: an alarm has at most ten metrics.
    of: { faults: faultsOfOperations(parts), serverErrors: apiMetric(parts, '5XXError', 'Sum') },
    requests: apiMetric(parts, 'Count', 'Sum'),
    period,
    minimum,
    label: 'share of requests with a fault',
  });
}

interface BurnRateAlarmProps {
  readonly parts: ServiceParts;
  readonly burnRate: BurnRate;
  readonly alarmDescription: string;
}

/** Creates an alarm that is raised while the error budget is used up faster than the rate in both windows. */
export function createBurnRateAlarm(
  scope: Construct,
  id: string,
  { parts, burnRate: { rate, long, short }, alarmDescription }: BurnRateAlarmProps,
): CompositeAlarm {
  const aboveRate = {
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    threshold: rate / REQUESTS_PER_FAULT,
    // No data means no requests.
    treatMissingData: TreatMissingData.NOT_BREACHING,
  };
  const windows = new Construct(scope, `${id}Windows`);
  const description = { alarmDescription: `Input to ${id}; that alarm sends the email.` };
  const alarms = [
    new Alarm(windows, 'Long', {
      ...aboveRate,
      ...raisedByOneOf(4),
      metric: faultShare(parts, long, MINIMUM),
      ...description,
    }),
    new Alarm(windows, 'Short', {
      ...aboveRate,
      ...raisedByOneOf(long.toMinutes() / short.toMinutes()),
      metric: faultShare(parts, short),
      ...description,
    }),
  ];
  const raised = alarms.map((alarm) => AlarmRule.fromAlarm(alarm, AlarmState.ALARM));
  return new CompositeAlarm(scope, id, { alarmRule: AlarmRule.allOf(...raised), alarmDescription });
}

/** The alarm ends only after that many good windows: a share near the threshold must not send mails all the time. */
function raisedByOneOf(evaluationPeriods: number) {
  return { datapointsToAlarm: 1, evaluationPeriods };
}
