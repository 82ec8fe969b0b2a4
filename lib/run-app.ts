import { App } from 'aws-cdk-lib';
import { addNagChecks } from './nag.ts';
import { UserError } from './user-error.ts';

/** Runs a CDK app. Reports in one line what the operator can fix: a `UserError`, or missing credentials. */
export function runApp(build: (app: App) => void): void {
  const app = new App();
  addNagChecks(app);
  try {
    build(app);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    console.error(`Nothing was synthesized: ${error.message}`);
    process.exit(1);
  }
  // The CDK's own message suggests a mistake in the stack. The app cannot recognize cdk synth, which needs no credentials.
  if (process.env.CDK_CLI_VERSION && !process.env.CDK_DEFAULT_ACCOUNT) {
    console.error(
      'The CDK found no valid AWS credentials. You do not need any for cdk synth; for cdk deploy, diff and destroy, sign in or set AWS_PROFILE.',
    );
  }
}
