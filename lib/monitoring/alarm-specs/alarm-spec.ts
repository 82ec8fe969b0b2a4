import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';

export interface AlarmText {
  readonly name: string;
  /** The heading of its runbook entry in docs/operations.md; the default is its name. */
  readonly runbook?: string;
  /** What is wrong, and since when it counts: one sentence for the person on call. */
  readonly meaning: string;
  /** The first command or saved query to run. `STAGE` stands for the stage. */
  readonly firstStep: string;
}

export const ROLL_BACK =
  'check out the last good commit, keep the newest cdk.json, and run "npx cdk deploy -c stage=STAGE -c rollout=all-at-once".';

export interface MetricAlarmSpec extends AlarmText {
  readonly metric: IMetric;
  /** The alarm is raised above this. */
  readonly threshold: number;
  /** The default is one period, of the metric's length. */
  readonly evaluation?: { readonly datapointsToAlarm: number; readonly evaluationPeriods: number };
  /** The `operationId`s, or `authorize`, whose deployments it rolls back. If set, it notifies CodeDeploy and nobody else. */
  readonly rollsBack?: readonly string[];
}
