import { Alarm, ComparisonOperator, type IAlarm, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { AlarmText, MetricAlarmSpec } from './alarm-specs/alarm-spec.ts';
import { capacityAlarms } from './alarm-specs/capacity-alarms.ts';
import { clientAlarms } from './alarm-specs/client-alarms.ts';
import { rollbackAlarms } from './alarm-specs/rollback-alarms.ts';
import { budgetTicketAlarm, burnRateAlarms, createBurnRateAlarm } from './error-budget.ts';
import type { ServiceParts } from './metrics.ts';

interface AlarmsProps {
  readonly parts: ServiceParts;
  readonly topic: ITopic;
  readonly expectedRequestsPerMinute: number;
}

/**
 * The alarms of the service, each with a runbook entry. Those that roll back a deployment are more sensitive than
 * a person wants to be, so they notify CodeDeploy only; all others notify the topic.
 */
export class Alarms extends Construct {
  readonly all: readonly IAlarm[];
  private readonly onMetrics: readonly { readonly alarm: Alarm; readonly spec: MetricAlarmSpec }[];

  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id);
    const { parts, topic, expectedRequestsPerMinute } = props;
    const onBudget = burnRateAlarms.map(({ burnRate, ...text }) =>
      createBurnRateAlarm(this, text.name, { parts, burnRate, alarmDescription: description(text, parts) }),
    );
    this.onMetrics = [
      budgetTicketAlarm(parts),
      ...rollbackAlarms(parts),
      ...clientAlarms(parts, expectedRequestsPerMinute),
      ...capacityAlarms(parts),
    ].map((spec) => ({ spec, alarm: this.metricAlarm(spec, parts) }));
    const notifying = this.onMetrics.filter(({ spec }) => spec.rollsBack === undefined);
    const notify = new SnsAction(topic);
    for (const alarm of [...onBudget, ...notifying.map((each) => each.alarm)]) {
      alarm.addAlarmAction(notify);
      alarm.addOkAction(notify);
    }
    this.all = [...onBudget, ...this.onMetrics.map(({ alarm }) => alarm)];
  }

  /** The alarms that stop a deployment of an operation, or of the authorizer, and roll it back. */
  rollingBack(deployment: string): readonly IAlarm[] {
    return this.onMetrics
      .filter(({ spec }) => spec.rollsBack?.includes(deployment))
      .map(({ alarm }) => alarm);
  }

  private metricAlarm(
    { metric, threshold, evaluation, ...text }: MetricAlarmSpec,
    parts: ServiceParts,
  ): Alarm {
    return new Alarm(this, text.name, {
      alarmDescription: description(text, parts),
      metric,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      threshold,
      ...(evaluation ?? { evaluationPeriods: 1 }),
      // No data means no requests.
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
  }
}

function description(
  { name, runbook = name, meaning, firstStep }: AlarmText,
  { stage }: ServiceParts,
): string {
  return `${meaning} First: ${firstStep.replaceAll('STAGE', stage)} Runbook: docs/operations.md#${runbook.toLowerCase()}`;
}
