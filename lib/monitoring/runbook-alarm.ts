import { Alarm, ComparisonOperator, type Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';

export interface RunbookAlarmProps {
  /** What it means, in a sentence, for whoever is woken by it. */
  readonly meaning: string;
  readonly metric: Metric;
  /** More than this is bad. */
  readonly above: number;
  /** How many minutes, of how many in a row, must be bad. */
  readonly minutes: { readonly bad: number; readonly of: number };
  readonly topic: ITopic;
}

/** An alarm with an entry in docs/operations.md, under a heading of its name. */
export class RunbookAlarm extends Alarm {
  constructor(scope: Construct, name: string, { meaning, metric, above, minutes, topic }: RunbookAlarmProps) {
    super(scope, name, {
      alarmDescription: `${meaning} Runbook: docs/operations.md#${name.toLowerCase()}`,
      metric,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      threshold: above,
      evaluationPeriods: minutes.of,
      datapointsToAlarm: minutes.bad,
      // A minute without requests is a good one.
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    const tell = new SnsAction(topic);
    this.addAlarmAction(tell);
    this.addOkAction(tell);
  }
}
