import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { type App, Stage } from 'aws-cdk-lib';
import { AttributeType } from 'aws-cdk-lib/aws-dynamodb';
import { listOperations } from '../../lib/operations.ts';
import { OPTION_NAMES } from '../../lib/options/options.ts';
import { PlantStoreStack } from '../../lib/plant-store-stack.ts';
import { stageConfig } from '../../lib/stage-config.ts';
import * as tablesModule from '../../lib/tables.ts';
import { addStack, appOf, checked, reportsIn } from '../support/assembly/stack-template.ts';
import { synthesizedAssembly } from '../support/assembly/synthesized-assembly.ts';
import {
  type Json,
  ofType,
  readable,
  resourcesOf,
} from '../support/assembly/template-resources.ts';
import { codeBlocks } from '../support/pages/code-blocks.ts';
import { combinations, everyOptionOfProd } from './option-combinations.ts';

// One file has every test of the service that needs cdk-nag or CloudFormation's rules, because each file takes seconds to
// load them.

/** The context in each cdk.json in these pages. */
const examples = ['docs/options.md', 'docs/custom-domain.md']
  .flatMap(codeBlocks)
  .filter(({ code }) => code.includes('"context"'))
  .map(({ code }) => JSON.parse(code).context);

// The cdk command prints this warning, but does not fail because of it.
const warning = {
  ruleName: 'Annotation::plant-store:alarmEmail',
  description: expect.stringContaining(
    'no email is sent when an alarm is raised; set alarmEmail for this stage',
  ),
  severity: 'warning',
};

test('the tested combinations contain every option, and the examples in the pages are valid', () => {
  expect(new Set(combinations.flatMap(Object.keys))).toEqual(new Set(OPTION_NAMES));
  expect(examples).not.toEqual([]);
  for (const example of examples)
    for (const stage of Object.keys(example)) addStack(appOf({ ...example, stage }));
});

test('the CDK app runs both packs of cdk-nag', () => {
  const packs = reportsIn(synthesizedAssembly()).map(({ pluginName }) => pluginName);
  expect(packs).toEqual(expect.arrayContaining(['AwsSolutions', 'Serverless']));
});

test.each(combinations)(
  'cdk-nag and CloudFormation’s rules find only a missing alarmEmail, with the options %j',
  (options) => {
    const app = appOf(options, true);
    addStack(app);
    const { violations, acknowledged } = checked(app);
    const hasAlarms = options.profile === 'prod' || options.stage === 'prod';
    const sendsNoEmail = hasAlarms && options.alarmEmail === undefined;
    expect(violations).toEqual(sendsNoEmail ? [expect.objectContaining(warning)] : []);

    expect(acknowledged).not.toEqual([]);
    // Each finding is acknowledged at a construct in the stack, not for the whole stack.
    for (const { acknowledgedAt } of acknowledged)
      expect(acknowledgedAt.split('/').length).toBeGreaterThan(1);
  },
);

test('CDK Stages deploy the stack to two Regions, with its tags and the name that commands look up', () => {
  const app = appOf({
    stage: 'prod',
    alarmEmail: 'ops@example.com',
    tags: 'team=plants,cost-center=42',
  });
  for (const region of ['eu-central-1', 'eu-west-1']) {
    const env = { account: '123456789012', region };
    const stage = new Stage(app, `Production-${region}`, { env });
    new PlantStoreStack(stage, 'PlantStore', { config: stageConfig(stage.node) });
  }
  const { assembly, violations } = checked(app);
  expect(violations).toEqual([]);
  const inRegion = (region: string) => ({
    stackName: 'PlantStore-prod',
    environment: { name: `aws://123456789012/${region}` },
    tags: { team: 'plants', 'cost-center': '42' },
    terminationProtection: true,
  });
  expect(assembly.stacksRecursively).toMatchObject([
    inRegion('eu-central-1'),
    inRegion('eu-west-1'),
  ]);
});

const { tableSpecs } = tablesModule;
const byTag = { indexName: 'byTag', partitionKey: { name: 'tag', type: AttributeType.STRING } };
const fixture = {
  ...tableSpecs[0],
  id: 'FixtureOfTests',
  globalSecondaryIndexes: [byTag],
};
const withFixture = [fixture, ...tableSpecs];
const actions = ['dynamodb:PutItem', 'dynamodb:GetItem', 'dynamodb:Query'];
const environment = { PLANTS_TABLE: 'of another stack' };
const ofFixture = { ...listOperations()[0], tables: [{ table: fixture.id, actions }], environment };

describe('operations on one more table with an index', () => {
  let operations: readonly object[];
  let appWith: (listed: readonly object[]) => App;
  beforeAll(async () => {
    jest.resetModules();
    // Modules loaded from now on use these operations and tables.
    jest.doMock('../../lib/operations.ts', () => ({ listOperations: () => operations }));
    jest.doMock('../../lib/tables.ts', () => ({ ...tablesModule, tableSpecs: withFixture }));
    const { PlantStoreStack } = await import('../../lib/plant-store-stack.ts');
    appWith = (listed) => {
      operations = listed;
      const app = appOf(everyOptionOfProd);
      new PlantStoreStack(app, 'PlantStore', { config: stageConfig(app.node) });
      return app;
    };
  });

  test('ten stay within AWS quotas without cdk-nag findings, and get their variables and the index', () => {
    const ten = Array.from({ length: 10 }, (_, index) => {
      const id = `CreateThePlantsOfEveryCustomer${index}`;
      return {
        ...ofFixture,
        operationId: id.replace('C', 'c'),
        id,
        path: `/fixture-of-tests/${index}`,
      };
    });
    const { assembly, violations } = checked(appWith(ten));
    expect(violations).toEqual([]);
    const resources = resourcesOf(assembly.getStackArtifact('PlantStore').template);
    expect(ofType(resources, 'AWS::ApiGateway::Method')).toHaveLength(ten.length);
    expect(resources.length).toBeLessThanOrEqual(500);
    for (const { Properties } of ofType(resources, 'AWS::CloudWatch::Alarm')) {
      const metrics = Properties.Metrics?.filter(({ MetricStat }: Json) => MetricStat) ?? [];
      expect(metrics.length).toBeLessThanOrEqual(10);
    }
    for (const { Properties } of ofType(resources, 'AWS::CodeDeploy::DeploymentGroup'))
      expect(Properties.AlarmConfiguration.Alarms.length).toBeLessThanOrEqual(10);
    const [dashboard] = ofType(resources, 'AWS::CloudWatch::Dashboard');
    const [alarmStatus] = JSON.parse(readable(dashboard?.Properties.DashboardBody)).widgets;
    expect(alarmStatus.properties.alarms.length).toBeLessThanOrEqual(100);

    const functions = ofType(resources, 'AWS::Lambda::Function');
    expect(functions.map(({ Properties }) => Properties.Environment.Variables)).toContainEqual(
      expect.objectContaining(environment),
    );
    const allowed = ofType(resources, 'AWS::IAM::Policy')
      .flatMap(({ Properties }) => Properties.PolicyDocument.Statement)
      .map(({ Resource }) => [Resource].flat().map(readable));
    expect(allowed).toContainEqual(['FixtureOfTests.Arn', 'FixtureOfTests.Arn/index/byTag']);
  });

  test('without a function fail the synthesis, and the message says what to do', () => {
    expect(() => appWith([{ ...ofFixture, functionName: 'create-plants' }])).toThrow(
      'lambda/create-plants/index.ts is missing: add it, or correct the operationId in openapi.json',
    );
  });
});
