import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';

/** The deployments that an alarm can roll back. */
export type Deployment = 'createPlant' | 'authorize';

export interface AlarmText {
  /** Also the heading of its runbook entry in docs/operations.md. */
  readonly name: string;
  /** One sentence for the person on call. */
  readonly meaning: string;
  /** For someone who has only the mail. */
  readonly firstStep: string;
}

export interface MetricAlarmSpec extends AlarmText {
  readonly metric: IMetric;
  /** The alarm is raised above this. */
  readonly threshold: number;
  /** The default is one period, of the metric's length. */
  readonly evaluation?: { readonly datapointsToAlarm: number; readonly evaluationPeriods: number };
  /** If set, the alarm notifies CodeDeploy and nobody else. */
  readonly rollsBack?: readonly Deployment[];
}
