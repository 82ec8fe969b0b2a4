import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';

export interface AlarmText {
  readonly name: string;
  /** The heading of the alarm's runbook entry in docs/operations.md; the default is the alarm's name. */
  readonly runbook?: string;
  /** Tells the person on call what is wrong and since when. */
  readonly meaning: string;
  /** The first command or saved query to run. `STAGE` is replaced by the name of the stage. */
  readonly firstStep: string;
}

interface AlarmCondition {
  readonly metric: IMetric;
  /** The alarm is raised if the metric exceeds this value. */
  readonly threshold: number;
  /** How long the metric must exceed the threshold; the default is one period. */
  readonly evaluation?: { readonly datapointsToAlarm: number; readonly evaluationPeriods: number };
}

export interface MetricAlarmSpec extends AlarmText, AlarmCondition {
  /**
   * The `id`s of the functions whose deployments the alarm rolls back. If this is set, the alarm notifies only
   * CodeDeploy.
   */
  readonly rollsBack?: readonly string[];
}

export const ROLL_BACK =
  'roll it back: run "git checkout GOOD && git checkout BAD -- cdk.json && npm ci && npx cdk deploy -c stage=STAGE -c rollout=all-at-once", where BAD is the deployed commit and GOOD is the last good commit before it.';

export function createAlarm(
  scope: Construct,
  id: string,
  { metric, threshold, evaluation }: AlarmCondition,
  alarmDescription: string,
): Alarm {
  return new Alarm(scope, id, {
    alarmDescription,
    metric,
    comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
    threshold,
    ...(evaluation ?? { evaluationPeriods: 1 }),
    // No data means no requests.
    treatMissingData: TreatMissingData.NOT_BREACHING,
  });
}
