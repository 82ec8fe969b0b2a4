/** The CDK app that `cdk synth` and `cdk deploy` run. */
import { stageConfig } from '../lib/config.ts';
import { PlantStoreStack } from '../lib/plant-store-stack.ts';
import { runApp } from '../lib/run-app.ts';

runApp((app) => new PlantStoreStack(app, stageConfig(app.node)));
