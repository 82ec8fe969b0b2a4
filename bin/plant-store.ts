/** The CDK app: what `cdk synth` and `cdk deploy` run. */
import { App } from 'aws-cdk-lib';
import { stageConfig } from '../lib/config.ts';
import { addNagChecks } from '../lib/nag.ts';
import { PlantStoreStack } from '../lib/plant-store-stack.ts';

const app = new App();
addNagChecks(app);
new PlantStoreStack(app, stageConfig(app.node));
