import { Alarm, ComparisonOperator, type IAlarm, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { AlarmSpec } from './alarm-specs.ts';

/** The topics that alarms notify, by the alarm's `action`. */
export type Topics = Readonly<Record<'page' | 'ticket', ITopic>>;

interface AlarmsProps {
  readonly specs: readonly AlarmSpec[];
  readonly topics: Topics;
  /** If undefined, the alarms' descriptions name the runbook's file instead of linking to it. */
  readonly repositoryUrl: string | undefined;
}

/** The alarms of the service, each with an entry in the runbook. */
export class Alarms extends Construct {
  private readonly alarms: readonly { readonly alarm: Alarm; readonly action: AlarmSpec['action'] }[];

  constructor(scope: Construct, id: string, { specs, topics, repositoryUrl }: AlarmsProps) {
    super(scope, id);
    this.alarms = specs.map(
      ({ name, runbook = name, meaning, firstStep, periods = [1, 1], action, ...spec }) => {
        const [datapointsToAlarm, evaluationPeriods] = periods;
        const entry = repositoryUrl
          ? `${repositoryUrl}/blob/HEAD/docs/runbook.md#${runbook.toLowerCase()}`
          : `docs/runbook.md, ${runbook}`;
        const alarm = new Alarm(this, name, {
          comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
          treatMissingData: TreatMissingData.NOT_BREACHING,
          ...spec,
          alarmDescription: `${meaning} ${firstStep} Then: ${entry}`,
          datapointsToAlarm,
          evaluationPeriods,
        });
        if (typeof action === 'string') {
          const notify = new SnsAction(topics[action]);
          alarm.addAlarmAction(notify);
          alarm.addOkAction(notify);
        }
        return { alarm, action };
      },
    );
  }

  get all(): readonly IAlarm[] {
    return this.alarms.map(({ alarm }) => alarm);
  }

  /** The alarms that stop a function's deployment and roll it back. */
  rollingBack(id: string): readonly IAlarm[] {
    return this.alarms
      .filter(({ action }) => typeof action === 'object' && action.rollBack.includes(id))
      .map(({ alarm }) => alarm);
  }
}
