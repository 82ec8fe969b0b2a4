import { Duration } from 'aws-cdk-lib';
import type { IAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import { LambdaDeploymentConfig, LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { type IRole, Policy, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnAlias } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { ProbedFunction } from '../../lambda/pre-traffic/probes.ts';
import type { PreTrafficEnv } from '../../lambda/shared/env.ts';
import { acknowledge } from '../nag.ts';
import { resourceOf } from '../resource-of.ts';
import type { StageConfig } from '../stage-config.ts';
import { type ApiFunction, LIVE_ALIAS, NodeFunction } from './node-function.ts';

interface RolloutProps {
  readonly apiFunction: ApiFunction;
  readonly alarms: readonly IAlarm[];
  readonly config: StageConfig;
}

/**
 * Shifts 10% of a function's traffic to a new version, and the rest 5 minutes later. The alarms, whose thresholds are in
 * alarm-specs.ts, roll it back. If the rollout is all at once, the deployment group exists, but is not used.
 */
export class Rollout extends Construct {
  constructor(scope: Construct, id: string, props: RolloutProps) {
    super(scope, id);
    const { apiFunction, alarms, config } = props;
    const { alias } = apiFunction;
    const { functionArn } = apiFunction.lambda;

    // AWS's managed policy would cover every function in the account.
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('codedeploy.amazonaws.com'),
    });
    role.addToPolicy(
      new PolicyStatement({
        actions: [
          'lambda:GetAlias',
          'lambda:UpdateAlias',
          'lambda:GetProvisionedConcurrencyConfig',
        ],
        // Refers to the alias by name, because the alias depends on this deployment group.
        resources: [functionArn, `${functionArn}:${LIVE_ALIAS}`],
      }),
    );
    role.addToPolicy(
      new PolicyStatement({ actions: ['cloudwatch:DescribeAlarms'], resources: ['*'] }),
    );
    acknowledge(
      role,
      ['AwsSolutions-IAM5[Resource::*]'],
      'CodeDeploy stops a deployment if it cannot read alarms, also composite ones, for which CloudWatch requires the resource "*".',
    );
    const group = new LambdaDeploymentGroup(this, 'Group', {
      alias,
      alarms: [...alarms],
      deploymentConfig: LambdaDeploymentConfig.CANARY_10PERCENT_5MINUTES,
      autoRollback: { failedDeployment: true, stoppedDeployment: true, deploymentInAlarm: true },
      // Otherwise, the group would attach AWS's managed policy.
      role: role.withoutPolicyUpdates(),
    });
    group.node.addDependency(role);
    this.addPreTrafficHook(group, role, props);
    // Without the update policy that the group has set, CloudFormation moves the alias at once. The group stays, so that
    // no later change of the rollout has to create it and its role, which could fail.
    if (config.rollout === 'all-at-once')
      delete resourceOf(alias, CfnAlias).cfnOptions.updatePolicy;
  }

  /** Adds a hook that invokes the new version before it gets traffic, and fails the deployment of a broken version. */
  private addPreTrafficHook(group: LambdaDeploymentGroup, role: IRole, props: RolloutProps): void {
    const { apiFunction, config } = props;
    const { functionName, alias, lambda } = apiFunction;
    const scope = new Construct(this, 'PreTrafficHook');
    const version = lambda.currentVersion.functionArn;
    const { lambda: hook } = new NodeFunction(scope, 'Function', {
      functionName: 'pre-traffic',
      description: `Probes a new version of ${functionName} before it gets traffic`,
      environment: {
        // Compiles only if each function, except this hook, has probes.
        PROBED_FUNCTION: functionName satisfies ProbedFunction | 'pre-traffic',
        NEW_VERSION: version,
      } satisfies PreTrafficEnv,
      // Enough for a minute during which IAM denies the first probe, and for probes of up to 10 seconds.
      timeout: Duration.minutes(3),
      config,
    });
    const allowInvoke = (arn: string) =>
      new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [arn] });
    hook.addToRolePolicy(allowInvoke(version));
    // Also allows the hook to report to this group.
    group.addPreHook(hook);
    acknowledge(
      hook,
      ['Serverless-LambdaDLQ', 'Serverless-LambdaAsyncFailureDestination'],
      'If the hook does not report a result, CodeDeploy fails the deployment, so a lost event cannot go unnoticed.',
    );

    // These statements cannot be in the role's default policy, because the group depends on that policy, and the hook
    // depends on the group.
    const statements = [allowInvoke(hook.functionArn)];
    alias.node.addDependency(new Policy(scope, 'Invocation', { roles: [role], statements }));
  }
}
