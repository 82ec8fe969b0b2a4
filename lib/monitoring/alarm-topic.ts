import { Annotations, Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import { acknowledge } from '../nag.ts';

const NO_EMAIL =
  'alarmEmail is not set, so no email is sent when an alarm is raised; set alarmEmail for this stage in cdk.json';

interface AlarmTopicProps {
  /**
   * After the owner of this address has confirmed the subscription, SNS sends an email whenever an alarm changes state.
   */
  readonly email: string | undefined;
}

/** The topic that alarms notify. */
export class AlarmTopic extends Topic {
  constructor(scope: Construct, id: string, props: AlarmTopicProps) {
    super(scope, id, { displayName: Stack.of(scope).stackName, enforceSSL: true });

    // `enforceSSL` adds a topic policy. This replaces the default policy, which would let the account's alarms publish.
    this.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [this.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    );
    const { email } = props;
    if (email === undefined) {
      Annotations.of(this).addWarningV2('plant-store:alarmEmail', NO_EMAIL);
      return;
    }
    acknowledge(
      this.addSubscription(new EmailSubscription(email)),
      ['Serverless-SNSRedrivePolicy'],
      'SNS tries for hours to deliver an email and does not report bounces, so a dead-letter queue would catch little, and nobody would read it. If an email is lost, CloudWatch still shows the state of the alarm.',
    );
  }
}
