import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { NodeFunction } from '../functions/node-function.ts';

export interface GradualDeploymentProps {
  readonly function: NodeFunction;
  /** Any of them takes the new version back. */
  readonly alarms: readonly Alarm[];
}

/** Gives a new version of a function a tenth of the requests for five minutes, and then all or none. */
export class GradualDeployment extends Construct {
  constructor(
    scope: Construct,
    id: string,
    { function: { functionArn, live }, alarms }: GradualDeploymentProps,
  ) {
    super(scope, id);

    // The policy that AWS has for this reaches every function and alarm of the account.
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('codedeploy.amazonaws.com') });
    role.addToPolicy(
      new PolicyStatement({
        actions: ['lambda:GetAlias', 'lambda:UpdateAlias', 'lambda:GetProvisionedConcurrencyConfig'],
        // By name: the alias itself needs this deployment group.
        resources: [functionArn, `${functionArn}:live`],
      }),
    );
    role.addToPolicy(
      new PolicyStatement({
        actions: ['cloudwatch:DescribeAlarms'],
        resources: alarms.map(({ alarmArn }) => alarmArn),
      }),
    );
    const group = new LambdaDeploymentGroup(this, 'Group', {
      alias: live,
      alarms: [...alarms],
      deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
      autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: true },
      // Or the group would add AWS's policy to it.
      role: role.withoutPolicyUpdates(),
    });
    group.node.addDependency(role);
  }
}
