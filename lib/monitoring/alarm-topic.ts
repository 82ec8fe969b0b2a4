import { Annotations, Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import { acknowledge } from '../nag.ts';

const NO_EMAIL =
  'alarmEmail is not set, so no email is sent when an alarm is raised; set it for the stage in cdk.json';

interface AlarmTopicProps {
  /**
   * Once the owner of this address has confirmed the subscription, it gets an email whenever an alarm changes state.
   */
  readonly email: string | undefined;
}

/** The topic that alarms notify. */
export class AlarmTopic extends Topic {
  constructor(scope: Construct, id: string, props: AlarmTopicProps) {
    super(scope, id, { displayName: Stack.of(scope).stackName, enforceSSL: true });

    // `enforceSSL` adds a policy, which replaces the default one that lets the account's alarms publish.
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
      'SNS retries an email for hours and does not report bounces, so a dead-letter queue would catch little, and nobody would read it. CloudWatch still shows the state of the alarm.',
    );
  }
}
