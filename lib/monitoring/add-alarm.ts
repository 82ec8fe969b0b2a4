import { Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { Construct } from 'constructs';
import type { AlarmSpec } from './alarm-specs.ts';
import type { Topics } from './alarm-topics.ts';

/**
 * Adds an alarm, whose description names its entry in the runbook.
 *
 * @param repositoryUrl if undefined, the description names the runbook's file instead of linking to it
 */
export function addAlarm(
  scope: Construct,
  { name, runbook = name, meaning, firstStep, periods = [1, 1], action, ...spec }: AlarmSpec,
  topics: Topics,
  repositoryUrl: string | undefined,
): Alarm {
  const [datapointsToAlarm, evaluationPeriods] = periods;
  const entry = repositoryUrl
    ? `${repositoryUrl}/blob/HEAD/docs/runbook.md#${runbook.toLowerCase()}`
    : `docs/runbook.md, ${runbook}`;
  const alarm = new Alarm(scope, name, {
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
  return alarm;
}
