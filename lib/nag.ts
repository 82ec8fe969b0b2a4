import { type Stage, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';

/** Has cdk-nag check the app at every synth; a finding that isn't acknowledged fails it. */
export function addNagChecks(app: Stage): void {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app), new ServerlessChecks(app));
}
