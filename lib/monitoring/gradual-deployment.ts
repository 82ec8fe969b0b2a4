import { CfnResource } from 'aws-cdk-lib';
import type { IAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { StageConfig } from '../config.ts';
import type { ApiFunction } from '../functions/node-function.ts';
import { acknowledge } from '../nag.ts';
import { LIVE_ALIAS } from '../names.ts';
import { PreTrafficHook } from './pre-traffic-hook.ts';

interface GradualDeploymentProps {
  /** The function that is deployed. */
  readonly target: ApiFunction;
  /** Any of them rolls the version back. */
  readonly alarms: readonly IAlarm[];
  readonly config: StageConfig;
}

/**
 * Shifts 10 % of a function's traffic to a new version for five minutes, then all of it. The group also exists if
 * the rollout is all at once: a new role or group in the next deployment would be one more thing that can fail.
 */
export class GradualDeployment extends Construct {
  constructor(scope: Construct, id: string, props: GradualDeploymentProps) {
    super(scope, id);
    const { target, alarms, config } = props;
    const {
      alias,
      function: { functionArn },
    } = target;

    // AWS's managed policy for this covers every function of the account.
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('codedeploy.amazonaws.com') });
    role.addToPolicy(
      new PolicyStatement({
        actions: ['lambda:GetAlias', 'lambda:UpdateAlias', 'lambda:GetProvisionedConcurrencyConfig'],
        // By name, because the alias depends on this deployment group.
        resources: [functionArn, `${functionArn}:${LIVE_ALIAS}`],
      }),
    );
    role.addToPolicy(new PolicyStatement({ actions: ['cloudwatch:DescribeAlarms'], resources: ['*'] }));
    acknowledge(
      role,
      ['AwsSolutions-IAM5[Resource::*]'],
      'Reading the state of alarms: CloudWatch requires * for composite alarms, and CodeDeploy stops every deployment if it is denied. Every other statement names its resource.',
    );
    const group = new LambdaDeploymentGroup(this, 'Group', {
      alias,
      alarms: [...alarms],
      deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
      autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: true },
      // Without this, the group attaches AWS's managed policy to the role.
      role: role.withoutPolicyUpdates(),
    });
    group.node.addDependency(role);
    new PreTrafficHook(this, 'PreTrafficHook', { group, role, target, config });
    if (config.rollout === 'all-at-once') updateWithoutCodeDeploy(alias);
  }
}

/** Removes what `LambdaDeploymentGroup` has set: CloudFormation itself then moves the alias to the new version. */
function updateWithoutCodeDeploy(alias: Alias): void {
  const { defaultChild } = alias.node;
  if (!CfnResource.isCfnResource(defaultChild)) throw new Error(`${alias.node.path} has no resource`);
  delete defaultChild.cfnOptions.updatePolicy;
}
