import { Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import { acknowledge } from '../nag.ts';

interface AlarmTopicProps {
  /** Ends the sender's name of each email, so that a mail rule can tell a page from a ticket. */
  readonly action: 'page' | 'ticket';
  readonly email: string | undefined;
}

/** A topic that alarms notify when they change state, and a subscription that `email` must confirm. */
export class AlarmTopic extends Topic {
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
