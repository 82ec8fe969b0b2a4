import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { Stage } from 'aws-cdk-lib';
import { stageConfig } from '../../lib/config.ts';
import { PlantStoreStack } from '../../lib/plant-store-stack.ts';
import { codeBlocks, PROJECT } from '../support/code-blocks.ts';
import { ofType, readable, resourcesOf } from '../support/template-resources.ts';
import { checked } from './stack-template.ts';

const outdir = mkdtempSync(join(tmpdir(), 'plant-store-environments-'));
afterAll(() => rmSync(outdir, { recursive: true }));

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

test('the example in docs/scaling.md creates a strongly consistent plants table that a function in a second Region can write to', () => {
  const [example] = codeBlocks('docs/scaling.md').filter(({ language }) => language === 'ts');
  const folder = join(outdir, 'scaling');
  const options = ['--input-type=module-typescript', '--eval', example?.code ?? ''];
  const { status, stderr } = spawnSync(process.execPath, options, {
    cwd: PROJECT,
    env: { ...process.env, CDK_OUTDIR: folder },
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });

  const resources = (region: string) =>
    resourcesOf(JSON.parse(readFileSync(join(folder, `PlantStore-${region}.template.json`), 'utf8')));
  const [table] = ofType(resources('eu-west-1'), 'AWS::DynamoDB::GlobalTable');
  expect(table?.Properties).toMatchObject({
    TableName: 'PlantStore-prod-Plants',
    MultiRegionConsistency: 'STRONG',
    Replicas: [{ Region: 'eu-central-1' }, { Region: 'eu-west-1' }],
    GlobalTableWitnesses: [{ Region: 'eu-west-2' }],
  });
  const [policy] = ofType(resources('eu-central-1'), 'AWS::IAM::Policy');
  const [statement] = policy?.Properties.PolicyDocument.Statement ?? [];
  expect(statement.Action).toBe('dynamodb:PutItem');
  expect(readable(statement.Resource)).toBe(
    'arn:AWS::Partition:dynamodb:eu-central-1:123456789012:table/PlantStore-prod-Plants',
  );
});
