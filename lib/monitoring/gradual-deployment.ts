import type { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { StageConfig } from '../config.ts';
import type { ApiFunction } from '../functions/node-function.ts';
import { LIVE_ALIAS } from '../names.ts';
import { PreTrafficHook } from './pre-traffic-hook.ts';

interface GradualDeploymentProps {
  /** Any of them rolls the version back. */
  readonly alarms: readonly Alarm[];
  readonly config: StageConfig;
}

/**
 * Shifts 10 % of a function's traffic to a new version for five minutes, then all of it. Any of the alarms
 * rolls the version back; `rollsBack` in alarms.ts names them.
 */
export class GradualDeployment extends Construct {
  constructor(scope: Construct, id: string, probed: ApiFunction, { alarms, config }: GradualDeploymentProps) {
    super(scope, id);
    const {
      alias,
      function: { functionArn },
    } = probed;

    // AWS's managed policy for this covers every function and alarm of the account.
    const role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('codedeploy.amazonaws.com') });
    role.addToPolicy(
      new PolicyStatement({
        actions: ['lambda:GetAlias', 'lambda:UpdateAlias', 'lambda:GetProvisionedConcurrencyConfig'],
        // By name, because the alias depends on this deployment group.
        resources: [functionArn, `${functionArn}:${LIVE_ALIAS}`],
      }),
    );
    role.addToPolicy(
      new PolicyStatement({
        actions: ['cloudwatch:DescribeAlarms'],
        resources: alarms.map(({ alarmArn }) => alarmArn),
      }),
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
    new PreTrafficHook(this, 'PreTrafficHook', { group, role, probed, config });
  }
}
