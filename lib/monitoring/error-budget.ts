import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  type AlarmBase,
  AlarmRule,
  AlarmState,
  ComparisonOperator,
  CompositeAlarm,
  type MathExpression,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Construct } from 'constructs';
import type { AlarmText } from './alarm-specs/alarm-spec.ts';
import { apiMetric, customMetric, type ServiceParts, share } from './metrics.ts';
import { savedQueries } from './saved-queries.ts';

/** The service level objective: of the requests of 28 days, 99.9 % end without a fault. One in a thousand may not. */
export const REQUESTS_PER_FAULT = 1_000;

/** Below this, a share of faults is chance: at one request a minute, a single fault is 1.7 % of an hour. */
const MINIMUM = { count: 5 };

interface BurnRate {
  /** How many times faster than allowed the budget is used up. */
  readonly rate: number;
  /** The window that shows that it matters. */
  readonly long: Duration;
  /** The window that shows that it goes on. */
  readonly short?: Duration;
}

const FAULTS_FIRST = `If it began with a deployment, check out the last good commit and run: npx cdk deploy -c stage=prod -c rollout=all-at-once. Otherwise, in Logs Insights over the logs of createPlant and the authorizer, run: ${savedQueries.faults.query}`;

interface BurnRateAlarmSpec extends AlarmText {
  readonly burnRate: BurnRate;
}

/**
 * The alarms on the error budget, two to be acted on at once and one in working hours, with the rates and windows
 * of Google's SRE Workbook.
 *
 * @see https://sre.google/workbook/alerting-on-slos/
 */
export const burnRateAlarms: readonly BurnRateAlarmSpec[] = [
  {
    name: 'ErrorBudgetFastBurn',
    meaning:
      'More than 1.44 % of the requests of an hour failed through a fault of the service, and still do.',
    firstStep: FAULTS_FIRST,
    burnRate: { rate: 14.4, long: Duration.hours(1), short: Duration.minutes(5) },
  },
  {
    name: 'ErrorBudgetSlowBurn',
    meaning:
      'More than 0.6 % of the requests of six hours failed through a fault of the service, and still do.',
    firstStep: FAULTS_FIRST,
    burnRate: { rate: 6, long: Duration.hours(6), short: Duration.minutes(30) },
  },
  {
    name: 'ErrorBudgetTicket',
    meaning:
      'More than 0.1 % of the requests of three days failed through a fault of the service; if this goes on, 28 days miss the objective.',
    firstStep: `It can wait for working hours. ${FAULTS_FIRST}`,
    // CloudWatch evaluates at most seven days.
    burnRate: { rate: 1, long: Duration.days(3) },
  },
];

/**
 * The share of requests that failed through a fault of the service. A fault of createPlant is a 400, and every
 * other one a 5xx, so none is counted twice.
 */
export function faultShare(parts: ServiceParts, period: Duration, minimum?: typeof MINIMUM): MathExpression {
  return share({
    of: {
      createPlantFaults: customMetric(parts, 'create-plant', 'Faults', 'Sum'),
      serverErrors: apiMetric(parts, '5XXError', 'Sum'),
    },
    requests: apiMetric(parts, 'Count', 'Sum'),
    period,
    ...(minimum === undefined ? {} : { minimum }),
    label: 'share of requests with a fault',
  });
}

interface BurnRateAlarmProps {
  readonly parts: ServiceParts;
  readonly burnRate: BurnRate;
  readonly alarmDescription: string;
}

/** An alarm that is raised while the error budget is used up at a rate, over each of the windows. */
export function burnRateAlarm(
  scope: Construct,
  id: string,
  { parts, burnRate: { rate, long, short }, alarmDescription }: BurnRateAlarmProps,
): AlarmBase {
  const aboveRate = {
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    threshold: rate / REQUESTS_PER_FAULT,
    // No data means no requests.
    treatMissingData: TreatMissingData.NOT_BREACHING,
  };
  const overLongWindow = { ...aboveRate, metric: faultShare(parts, long, MINIMUM) };
  if (short === undefined)
    return new Alarm(scope, id, { ...overLongWindow, evaluationPeriods: 1, alarmDescription });

  const windows = new Construct(scope, `${id}Windows`);
  const description = { alarmDescription: `A part of ${id}, which sends the mail.` };
  const alarms = [
    new Alarm(windows, 'Long', { ...overLongWindow, ...raisedBySingleOf(4), ...description }),
    new Alarm(windows, 'Short', {
      ...aboveRate,
      ...raisedBySingleOf(long.toMinutes() / short.toMinutes()),
      metric: faultShare(parts, short),
      ...description,
    }),
  ];
  const raised = alarms.map((alarm) => AlarmRule.fromAlarm(alarm, AlarmState.ALARM));
  return new CompositeAlarm(scope, id, { alarmRule: AlarmRule.allOf(...raised), alarmDescription });
}

/** Ended by that many good windows, because a share near the threshold must not send a mail every few minutes. */
function raisedBySingleOf(evaluationPeriods: number) {
  return { datapointsToAlarm: 1, evaluationPeriods };
}
