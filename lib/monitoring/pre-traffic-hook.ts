import { Duration } from 'aws-cdk-lib';
import type { LambdaDeploymentGroup } from 'aws-cdk-lib/aws-codedeploy';
import { type IRole, Policy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import type { PreTrafficEnv } from '../../lambda/shared/env.ts';
import type { StageConfig } from '../config.ts';
import { type ApiFunction, NodeFunction } from '../functions/node-function.ts';
import { acknowledge } from '../nag.ts';

interface PreTrafficHookProps {
  readonly group: LambdaDeploymentGroup;
  /** CodeDeploy's, which does not get permissions from the group. */
  readonly role: IRole;
  /** The function that the group deploys. */
  readonly target: ApiFunction;
  readonly config: StageConfig;
}

/** Invokes the new version before a deployment shifts traffic to it, and fails the deployment of a broken one. */
export class PreTrafficHook extends Construct {
  constructor(scope: Construct, id: string, props: PreTrafficHookProps) {
    super(scope, id);
    const { group, role, target, config } = props;

    const version = target.function.currentVersion.functionArn;
    const { function: hook } = new NodeFunction(this, 'Function', {
      name: 'pre-traffic',
      description: `Probes a new version of ${target.name} before it gets traffic`,
      environment: { PROBED_FUNCTION: target.name, NEW_VERSION: version } satisfies PreTrafficEnv,
      // Ten seconds for each probe, and a minute in which IAM may still deny the first one.
      timeout: Duration.minutes(3),
      config,
    });
    hook.addToRolePolicy(new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [version] }));
    // Permits the hook to report to this group.
    group.addPreHook(hook);
    acknowledge(
      hook,
      ['Serverless-LambdaDLQ', 'Serverless-LambdaAsyncFailureDestination'],
      'CodeDeploy waits for the report of the hook, and fails the deployment without one: no event can be lost unnoticed.',
    );

    // Not in the default policy of the role: the group depends on that, and the hook on the group.
    const invocation = new Policy(this, 'Invocation', {
      roles: [role],
      statements: [
        new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [hook.functionArn] }),
      ],
    });
    target.alias.node.addDependency(invocation);
  }
}
