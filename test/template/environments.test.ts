import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, jest, test } from '@jest/globals';
import { Stage } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { stageConfig } from '../../lib/config.ts';
import { addNagChecks } from '../../lib/nag.ts';
import { PlantStoreStack } from '../../lib/plant-store-stack.ts';
import { codeBlocks, PROJECT } from '../support/code-blocks.ts';
import { type Json, ofType, readable, resourcesOf } from '../support/template-resources.ts';
import { appOf } from './stack-template.ts';

const outdir = mkdtempSync(join(tmpdir(), 'plant-store-environments-'));
afterAll(() => rmSync(outdir, { recursive: true }));

const ireland = { account: '123456789012', region: 'eu-west-1' };
const frankfurt = { account: '123456789012', region: 'eu-central-1' };

/** @returns the stacks that prod is deployed as, which cdk-nag finds nothing in */
function synthesize(name: string, build: (app: Construct) => void) {
  const options = { stage: 'prod', alarmEmail: 'ops@example.com', tags: 'team=plants,cost-center=42' };
  const app = appOf(options, { outdir: join(outdir, name) });
  addNagChecks(app);
  build(app);
  const print = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  const { stacksRecursively, directory } = app.synth();
  print.mockRestore();
  const { pluginReports } = JSON.parse(readFileSync(join(directory, 'validation-report.json'), 'utf8'));
  expect(pluginReports.flatMap(({ violations }: Json) => violations)).toEqual([]);
  return stacksRecursively;
}

test.each<[string, (app: Construct) => void, string[]]>([
  [
    'an account and Region',
    (app) => new PlantStoreStack(app, 'PlantStore', { config: stageConfig(app.node), env: ireland }),
    ['eu-west-1'],
  ],
  [
    'a Stage, as a pipeline deploys it',
    (app) => {
      const stage = new Stage(app, 'Production', { env: ireland });
      new PlantStoreStack(stage, 'PlantStore', { config: stageConfig(stage.node) });
    },
    ['eu-west-1'],
  ],
  [
    'two Regions of one app',
    (app) => {
      for (const env of [ireland, frankfurt]) {
        new PlantStoreStack(app, `PlantStore-${env.region}`, { config: stageConfig(app.node), env });
      }
    },
    ['eu-central-1', 'eu-west-1'],
  ],
])(
  'the stack can be deployed to %s, under the name by which commands find it, with its tags',
  (name, build, regions) => {
    const stacks = synthesize(name, build);
    expect(stacks.map(({ environment }) => environment.region).sort()).toEqual(regions);
    for (const { stackName, environment, tags, terminationProtection } of stacks) {
      expect({ stackName, account: environment.account, tags, terminationProtection }).toEqual({
        stackName: 'PlantStore-prod',
        account: '123456789012',
        tags: { team: 'plants', 'cost-center': '42' },
        terminationProtection: true,
      });
    }
  },
);

test('docs/scaling.md makes a strongly consistent plants table, which a function of a second Region may write', () => {
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
