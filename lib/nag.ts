import { type Stage, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import type { IConstruct } from 'constructs';

/** Runs cdk-nag on every synth. The synth fails if a finding is not acknowledged. */
export function addNagChecks(app: Stage): void {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
}

/** Accepts findings of cdk-nag in a construct and its children, and records the reason. */
export function acknowledge(construct: IConstruct, rules: readonly string[], reason: string): void {
  for (const rule of rules) {
    const [pack] = rule.split('-');
    Validations.of(construct).acknowledge({ id: `${pack}::${rule}`, reason });
  }
}

/** The managed policy of the role with which API Gateway writes logs. */
export const LOG_POLICY = 'service-role/AmazonAPIGatewayPushToCloudWatchLogs';

export function acknowledgeLogPolicy(construct: IConstruct): void {
  acknowledge(
    construct,
    [`AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${LOG_POLICY}]`],
    'API Gateway writes the logs of every API in the account and region with this role, so its policy cannot be limited to one log group.',
  );
}
