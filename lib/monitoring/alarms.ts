import type { IAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { StageConfig } from '../config.ts';
import { type AlarmText, createAlarm } from './alarm-specs/alarm-spec.ts';
import { capacityAlarms } from './alarm-specs/capacity-alarms.ts';
import { clientAlarms } from './alarm-specs/client-alarms.ts';
import { rollbackAlarms } from './alarm-specs/rollback-alarms.ts';
import { budgetTicketAlarm, burnRateAlarms, createBurnRateAlarm } from './error-budget.ts';
import type { ServiceParts } from './metrics.ts';

interface AlarmsProps {
  readonly parts: ServiceParts;
  readonly topic: ITopic;
  readonly config: StageConfig;
}

/**
 * The alarms of the service, each with a runbook entry. The alarms that roll back a deployment would page a person too
 * often, so they notify only CodeDeploy; all other alarms notify the topic.
 */
export class Alarms extends Construct {
  readonly all: readonly IAlarm[];
  private readonly alarms: readonly { readonly alarm: IAlarm; readonly rollsBack: readonly string[] }[];

  constructor(scope: Construct, id: string, props: AlarmsProps) {
    super(scope, id);
    const { parts, topic, config } = props;
    const alarms = [
      ...burnRateAlarms.map((spec) => ({
        alarm: createBurnRateAlarm(this, spec, parts, description(spec, parts.stage)),
        rollsBack: [],
      })),
      ...[
        budgetTicketAlarm(parts),
        ...rollbackAlarms(parts),
        ...clientAlarms(parts, config),
        ...capacityAlarms(parts),
      ].map((spec) => ({
        alarm: createAlarm(this, spec.name, spec, description(spec, parts.stage)),
        rollsBack: spec.rollsBack ?? [],
      })),
    ];
    const notify = new SnsAction(topic);
    for (const { alarm } of alarms.filter(({ rollsBack }) => rollsBack.length === 0)) {
      alarm.addAlarmAction(notify);
      alarm.addOkAction(notify);
    }
    this.alarms = alarms;
    this.all = alarms.map(({ alarm }) => alarm);
  }

  /** The alarms that stop a function's deployment and roll it back. */
  rollingBack(id: string): readonly IAlarm[] {
    return this.alarms.filter(({ rollsBack }) => rollsBack.includes(id)).map(({ alarm }) => alarm);
  }
}

function description({ name, runbook = name, meaning, firstStep }: AlarmText, stage: string): string {
  return `${meaning} First step: ${firstStep.replaceAll('STAGE', stage)} Runbook: docs/operations.md#${runbook.toLowerCase()}`;
}
