import { Alarm, ComparisonOperator, type IAlarm, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { AlarmSpec } from './alarm-specs.ts';

interface AlarmsProps {
  readonly specs: readonly AlarmSpec[];
  readonly topic: ITopic;
}

/**
 * The alarms of the service, each with a runbook entry. The alarms that roll back a deployment would page a person too
 * often, so they notify only CodeDeploy; all other alarms notify the topic.
 */
export class Alarms extends Construct {
  private readonly alarms: readonly { readonly alarm: Alarm; readonly rollsBack: readonly string[] }[];

  constructor(scope: Construct, id: string, { specs, topic }: AlarmsProps) {
    super(scope, id);
    const notify = new SnsAction(topic);
    this.alarms = specs.map(
      ({ name, runbook = name, meaning, periods = [1, 1], rollsBack = [], ...spec }) => {
        const [datapointsToAlarm, evaluationPeriods] = periods;
        const alarm = new Alarm(this, name, {
          ...spec,
          alarmDescription: `${meaning} Runbook: docs/operations.md#${runbook.toLowerCase()}`,
          comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
          datapointsToAlarm,
          evaluationPeriods,
          // No data means no requests.
          treatMissingData: TreatMissingData.NOT_BREACHING,
        });
        if (rollsBack.length === 0) {
          alarm.addAlarmAction(notify);
          alarm.addOkAction(notify);
        }
        return { alarm, rollsBack };
      },
    );
  }

  get all(): readonly IAlarm[] {
    return this.alarms.map(({ alarm }) => alarm);
  }

  /** The alarms that stop a function's deployment and roll it back. */
  rollingBack(id: string): readonly IAlarm[] {
    return this.alarms.filter(({ rollsBack }) => rollsBack.includes(id)).map(({ alarm }) => alarm);
  }
}
