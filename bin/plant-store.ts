/** The CDK app that `cdk synth` and `cdk deploy` run. */
import { App } from 'aws-cdk-lib';
import { stageConfig } from '../lib/config.ts';
import { addNagChecks } from '../lib/nag.ts';
import { OptionError } from '../lib/options.ts';
import { PlantStoreStack } from '../lib/plant-store-stack.ts';

const app = new App();
addNagChecks(app);
try {
  new PlantStoreStack(app, stageConfig(app.node));
} catch (error) {
  if (!(error instanceof OptionError)) throw error;
  console.error(`Nothing was synthesized: ${error.message}`);
  process.exit(1);
}
