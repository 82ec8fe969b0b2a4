import { Annotations, Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import { acknowledge } from '../nag.ts';

/** The topics that alarms notify, by the alarms' `action`. */
export type Topics = Readonly<Record<'page' | 'ticket', ITopic>>;

const NO_EMAIL =
  'alarmEmail is not set, so no email is sent when an alarm is raised; set alarmEmail for this stage in cdk.json';

export function addTopics(scope: Construct, email: string | undefined): Topics {
  if (email === undefined) Annotations.of(scope).addWarningV2('plant-store:alarmEmail', NO_EMAIL);
  return {
    // Do not change these ids: new ids would delete the confirmed subscriptions.
    page: new AlarmTopic(scope, 'AlarmTopic', { action: 'page', email }),
    ticket: new AlarmTopic(scope, 'TicketTopic', { action: 'ticket', email }),
  };
}

interface AlarmTopicProps {
  /** Ends the sender's name of each email, so that a mail rule can tell a page from a ticket. */
  readonly action: keyof Topics;
  readonly email: string | undefined;
}

/** A topic that alarms notify when they change state, and a subscription that `email` must confirm. */
class AlarmTopic extends Topic {
  constructor(scope: Construct, id: string, { action, email }: AlarmTopicProps) {
    super(scope, id, { displayName: `${Stack.of(scope).stackName} ${action}`, enforceSSL: true });

    // `enforceSSL` adds a topic policy. This replaces the default policy, which would let the account's alarms publish.
    this.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [this.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(this).account } },
      }),
    );
    if (email === undefined) return;
    acknowledge(
      this.addSubscription(new EmailSubscription(email)),
      ['Serverless-SNSRedrivePolicy'],
      'SNS retries an email for hours and does not report bounces, so a dead-letter queue would catch little.',
    );
  }
}
