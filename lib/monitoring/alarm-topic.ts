import { Stack } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';

export interface AlarmTopicProps {
  /** Gets a mail at each change of an alarm, once its owner has confirmed. */
  readonly email: string | undefined;
}

/** Where alarms are announced: subscribe to it whatever should hear of them. */
export class AlarmTopic extends Topic {
  constructor(scope: Construct, id: string, { email }: AlarmTopicProps) {
    super(scope, id, { displayName: Stack.of(scope).stackName, enforceSSL: true });

    // A policy of its own takes the place of the default one, which let the account's alarms publish.
    const { account } = Stack.of(this);
    this.addToResourcePolicy(
      new PolicyStatement({
        principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
        actions: ['sns:Publish'],
        resources: [this.topicArn],
        conditions: { StringEquals: { 'aws:SourceAccount': account } },
      }),
    );
    if (email !== undefined) this.addSubscription(new EmailSubscription(email));
  }
}
