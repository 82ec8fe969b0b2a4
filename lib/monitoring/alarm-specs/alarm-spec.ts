import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';

export interface AlarmText {
  readonly name: string;
  /** The heading of its runbook entry in docs/operations.md; the default is its name. */
  readonly runbook?: string;
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
  /** The `operationId`s, or `authorize`, whose deployments it rolls back. If set, it notifies CodeDeploy and nobody else. */
  readonly rollsBack?: readonly string[];
}
