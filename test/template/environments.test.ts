import { expect, test } from '@jest/globals';
import { Stage } from 'aws-cdk-lib';
import { stageConfig } from '../../lib/config.ts';
import { PlantStoreStack } from '../../lib/plant-store-stack.ts';
import { checked } from './stack-template.ts';

test('a CDK Stage can deploy the stack to two Regions, with the configured tags and the stack name that commands look up', () => {
  const options = { stage: 'prod', alarmEmail: 'ops@example.com', tags: 'team=plants,cost-center=42' };
  const { assembly, violations } = checked(options, (app) => {
    const stage = new Stage(app, 'Production');
    for (const region of ['eu-central-1', 'eu-west-1']) {
      const env = { account: '123456789012', region };
      new PlantStoreStack(stage, `PlantStore-${region}`, { config: stageConfig(stage.node), env });
    }
  });
  expect(violations).toEqual([]);
  const deployed = assembly.stacksRecursively.map((stack) => ({
    stackName: stack.stackName,
    environment: stack.environment.name,
    tags: stack.tags,
    terminationProtection: stack.terminationProtection,
  }));
  const inRegion = (region: string) => ({
    stackName: 'PlantStore-prod',
    environment: `aws://123456789012/${region}`,
    tags: { team: 'plants', 'cost-center': '42' },
    terminationProtection: true,
  });
  expect(deployed).toEqual([inRegion('eu-central-1'), inRegion('eu-west-1')]);
});
