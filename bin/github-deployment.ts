/** The CDK app that `npm run deploy:github` runs: the roles of docs/continuous-deployment.md. */
import { App } from 'aws-cdk-lib';
import { deploymentOptions } from '../lib/github/deployment-options.ts';
import { GitHubDeploymentStack } from '../lib/github/deployment-stack.ts';
import { addNagChecks } from '../lib/nag.ts';
import { OptionError } from '../lib/options.ts';

const app = new App();
addNagChecks(app);
try {
  new GitHubDeploymentStack(app, deploymentOptions(app.node));
} catch (error) {
  if (!(error instanceof OptionError)) throw error;
  console.error(`Nothing was synthesized: ${error.message}`);
  process.exit(1);
}
