/** The CDK app that `npm run deploy:github` runs. It creates the roles that docs/continuous-deployment.md describes. */
import { deploymentOptions } from '../lib/github/deployment-options.ts';
import { GitHubDeploymentStack } from '../lib/github/deployment-stack.ts';
import { runApp } from '../lib/run-app.ts';

runApp((app) => new GitHubDeploymentStack(app, 'PlantStoreGitHub', deploymentOptions(app.node)));
