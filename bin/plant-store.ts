/** The CDK app that `cdk synth` and `cdk deploy` run. */
import { checkedOutCommit } from '../lib/checked-out-commit.ts';
import { PlantStoreStack } from '../lib/plant-store-stack.ts';
import { runApp } from '../lib/run-app.ts';
import { stageConfig } from '../lib/stage-config.ts';
import { stackName } from '../lib/stage-names.ts';

runApp((app) => {
  const config = stageConfig(app.node);
  return new PlantStoreStack(app, stackName(config.stage), {
    config,
    commit: checkedOutCommit(import.meta.dirname),
  });
});
