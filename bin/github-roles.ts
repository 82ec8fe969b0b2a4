/** The CDK app that `npm run deploy:github` runs. It creates the roles that docs/continuous-deployment.md describes. */
import { rolesOptions } from '../lib/github/roles-options.ts';
import { GitHubRolesStack } from '../lib/github/roles-stack.ts';
import { runApp } from '../lib/run-app.ts';

runApp((app) => new GitHubRolesStack(app, 'PlantStoreGitHub', rolesOptions(app.node)));
