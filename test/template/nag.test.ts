import { statSync } from 'node:fs';
import { expect, jest, test } from '@jest/globals';
import { Stage } from 'aws-cdk-lib';
import { stageConfig } from '../../lib/config.ts';
import { listOperations } from '../../lib/operations.ts';
import { OPTION_NAMES } from '../../lib/options.ts';
import { PlantStoreStack } from '../../lib/plant-store-stack.ts';
import { tables as deployedTables } from '../../lib/tables.ts';
import {
  type Json,
  ofType,
  readable,
  resourcesOf,
} from '../support/assembly/template-resources.ts';
import { codeBlocks } from '../support/pages/code-blocks.ts';
import { combinations, everyOptionOfProd } from './option-combinations.ts';
import { addStack, appOf, checked } from './stack-template.ts';

// One file has every test of the service that needs cdk-nag or CloudFormation's rules, because each worker takes seconds
// to load them.

/** The context in each cdk.json in docs/options.md. */
const examples = codeBlocks('docs/options.md')
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

test('the tested combinations contain every option, and the examples in docs/options.md are valid', () => {
  expect(new Set(combinations.flatMap(Object.keys))).toEqual(new Set(OPTION_NAMES));
  expect(examples).not.toEqual([]);
  for (const example of examples)
    for (const stage of Object.keys(example)) addStack(appOf({ ...example, stage }));
});

test.each(combinations)(
  'cdk-nag and CloudFormation’s rules report no unacknowledged findings, except for a missing alarmEmail, with the options %j',
  (options) => {
    const app = appOf(options, true);
    addStack(app);
    const { packs, violations, acknowledged } = checked(app);
    expect(packs).toEqual(expect.arrayContaining(['AwsSolutions', 'Serverless']));
    const hasAlarms = options.profile === 'prod' || options.stage === 'prod';
    const sendsNoEmail = hasAlarms && options.alarmEmail === undefined;
    expect(violations).toEqual(sendsNoEmail ? [expect.objectContaining(warning)] : []);

    expect(acknowledged).not.toEqual([]);
    for (const { acknowledgedAt, reason } of acknowledged) {
      // Each finding is acknowledged at a construct in the stack, not for the whole stack.
      expect(acknowledgedAt.split('/').length).toBeGreaterThan(1);
      expect(reason).not.toBe('');
    }
  },
);

test('a CDK Stage can deploy the stack to two Regions, with the configured tags and the stack name that commands look up', () => {
  const app = appOf({
    stage: 'prod',
    alarmEmail: 'ops@example.com',
    tags: 'team=plants,cost-center=42',
  });
  const stage = new Stage(app, 'Production');
  for (const region of ['eu-central-1', 'eu-west-1']) {
    const env = { account: '123456789012', region };
    new PlantStoreStack(stage, `PlantStore-${region}`, { config: stageConfig(stage.node), env });
  }
  const { assembly, violations } = checked(app);
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

const [firstOperation] = listOperations();
const tables = [{ ...deployedTables[0], name: 'sheds', id: 'Sheds' }, ...deployedTables];
const operation = {
  ...firstOperation,
  tables: [{ table: 'sheds', actions: ['dynamodb:PutItem', 'dynamodb:GetItem', 'dynamodb:Query'] }],
};

/** Synthesizes prod with every option, with these operations in place of those in openapi.json. */
async function prodWith(operations: readonly object[]) {
  jest.resetModules();
  // Modules loaded from now on use these operations and tables.
  jest.doMock('../../lib/operations.ts', () => ({ listOperations: () => operations }));
  jest.doMock('../../lib/tables.ts', () => ({ tables }));
  const { PlantStoreStack } = await import('../../lib/plant-store-stack.ts');
  const app = appOf(everyOptionOfProd);
  new PlantStoreStack(app, 'PlantStore', { config: stageConfig(app.node) });
  return checked(app);
}

test('a stack with ten operations on one more table stays within AWS quotas, and has no cdk-nag findings', async () => {
  const ten = Array.from({ length: 10 }, (_, index) => {
    const id = `CreateThePlantsOfEveryCustomer${index}`;
    return { ...operation, operationId: id.replace('C', 'c'), id, path: `/sheds/${index}` };
  });
  const { assembly, violations } = await prodWith(ten);
  expect(violations).toEqual([]);
  const { template, templateFullPath } = assembly.getStackArtifact('PlantStore');
  const resources = resourcesOf(template);
  const each = (type: string, count: (properties: Json) => number) =>
    ofType(resources, type).map(({ Properties }) => count(Properties));
  const [dashboard] = ofType(resources, 'AWS::CloudWatch::Dashboard');
  const { widgets } = JSON.parse(readable(dashboard?.Properties.DashboardBody));
  const inWidgets = (list: string) =>
    widgets.map(({ properties }: Json) => properties[list]?.length ?? 0);
  const group = 'AWS::CodeDeploy::DeploymentGroup';
  const query = 'AWS::Logs::QueryDefinition';
  const quotas: [quota: string, maximum: number, values: number[]][] = [
    ['resources in a stack', 500, [resources.length]],
    ['bytes in a template', 1_000_000, [statSync(templateFullPath).size]],
    [
      'metrics in an alarm',
      10,
      each('AWS::CloudWatch::Alarm', ({ Metrics = [] }) => Metrics.length - 1),
    ],
    [
      'alarms for a deployment',
      10,
      each(group, ({ AlarmConfiguration: { Alarms } }) => Alarms.length),
    ],
    ['alarms in a widget', 100, inWidgets('alarms')],
    ['metrics in a widget', 500, inWidgets('metrics')],
    ['log groups in a query', 50, each(query, ({ LogGroupNames }) => LogGroupNames.length)],
  ];
  const used = quotas.map(([quota, maximum, values]) => ({
    quota,
    maximum,
    used: Math.max(...values),
  }));
  expect(used.filter(({ maximum, used }) => !(used > 0 && used <= maximum))).toEqual([]);
  expect(each('AWS::ApiGateway::Method', () => 1)).toHaveLength(ten.length);
  expect(each('AWS::DynamoDB::GlobalTable', () => 1)).toHaveLength(tables.length);
});

test('synthesis fails if the function of an operation does not exist, and the message says what to do', async () => {
  await expect(prodWith([{ ...operation, functionName: 'create-plants' }])).rejects.toThrow(
    'lambda/create-plants/index.ts is missing: add it, or correct the operationId in openapi.json',
  );
});
