import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { App } from 'aws-cdk-lib';
import type { CloudAssembly } from 'aws-cdk-lib/cx-api';
import { stageConfig } from '../../lib/config.ts';
import { buildFunction } from '../../lib/functions/bundle/build.ts';
import { BUNDLES_FOLDER } from '../../lib/names.ts';
import { operations } from '../../lib/operations.ts';
import { tables } from '../../lib/tables.ts';
import { startService } from '../support/service.ts';
import { type Json, ofType, type Resource, readable, resourcesOf } from '../support/template-resources.ts';
import { everyEdgeOption, everyOptionOfProd } from './option-combinations.ts';
import { appOf, checked } from './stack-template.ts';

// These tests are slow, because they bundle functions, apply cdk-nag and CloudFormation's validation rules to a large
// template, and run the service in the emulator.

/** Every operation in this test creates a plant in one of two tables. */
const [createPlant] = operations;
const sheds = { ...tables[0], name: 'sheds', id: 'Sheds' };
const twelve = [
  ...['create', 'import', 'move', 'label', 'water', 'repot'].map((verb) => [verb, 'plants'] as const),
  ...['create', 'import', 'move', 'label', 'rent', 'fence'].map((verb) => [verb, 'sheds'] as const),
].map(([verb, table]) => ({
  ...createPlant,
  operationId: `${verb}The${table}OfEveryCustomer`,
  id: `${capitalized(verb)}The${capitalized(table)}OfEveryCustomer`,
  functionName: `${verb}-${table}`,
  path: `/${table}/${verb}`,
  tables: [{ table, actions: ['dynamodb:PutItem', 'dynamodb:GetItem', 'dynamodb:Query'] }],
}));

function capitalized(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

const folder = mkdtempSync(join(tmpdir(), 'plant-store-twelve-'));
afterAll(() => rmSync(folder, { recursive: true }));

let PlantStoreStack: typeof import('../../lib/plant-store-stack.ts').PlantStoreStack;
beforeAll(async () => {
  const copied = [...twelve.map(({ functionName }) => functionName), 'authorize-oidc', 'pre-traffic'];
  for (const name of ['create-plant', 'authorize'] as const) buildFunction(name, join(folder, name));
  for (const name of copied) cpSync(join(folder, 'create-plant'), join(folder, name), { recursive: true });
  // Modules loaded from now on use these operations and tables.
  jest.resetModules();
  jest.doMock('../../lib/operations.ts', () => ({ operations: twelve }));
  jest.doMock('../../lib/tables.ts', () => ({ tables: [...tables, sheds] }));
  ({ PlantStoreStack } = await import('../../lib/plant-store-stack.ts'));
});

const addStack = (app: App) => new PlantStoreStack(app, 'PlantStore', { config: stageConfig(app.node) });

function expectWithinLimits({ directory }: CloudAssembly): void {
  const template = readFileSync(join(directory, 'PlantStore.template.json'), 'utf8');
  const resources = resourcesOf(JSON.parse(template));
  expect(ofType(resources, 'AWS::DynamoDB::GlobalTable')).toHaveLength(tables.length + 1);
  expect(ofType(resources, 'AWS::ApiGateway::Method')).toHaveLength(12);
  const hasAlarms = ofType(resources, 'AWS::CloudWatch::Alarm').length > 0;
  for (const [limit, maximum, values] of limits(template, resources)) {
    expect([limit, values.length > 0 || !hasAlarms]).toEqual([limit, true]);
    expect([limit, values.filter((value) => value > maximum)]).toEqual([limit, []]);
  }
}

describe('twelve operations on two tables', () => {
  test.each([
    ['prod', everyOptionOfProd],
    ['dev', everyEdgeOption],
  ])(
    'stay within every AWS limit, and have no cdk-nag findings, in %s with every option',
    (_stage, options) => {
      const { assembly, violations } = checked({ ...options, [BUNDLES_FOLDER]: folder }, addStack);
      expect(violations).toEqual([]);
      expectWithinLimits(assembly);
    },
  );

  test('stay within every AWS limit in dev, and create plants in their tables in the emulator', async () => {
    const app = appOf({ throttleRate: '10000', [BUNDLES_FOLDER]: folder });
    addStack(app);
    const dev = app.synth();
    expectWithinLimits(dev);
    const service = await startService({ assembly: dev.directory });
    try {
      const headers = { Authorization: `Bearer ${service.token}`, 'Content-Type': 'application/json' };
      const responses = await Promise.all(
        twelve.map(async ({ path, operationId }, index) => {
          const body = JSON.stringify({ id: index, name: operationId });
          const response = await fetch(`${service.emulator.url}${path}`, { method: 'POST', headers, body });
          return [response.status, await response.json()];
        }),
      );
      expect(responses).toEqual(twelve.map(({ operationId }) => [200, { name: operationId }]));

      for (const [index, table] of ['Plants', 'Sheds'].entries()) {
        const TableName = service.emulator.tableNames.find((name) => name.startsWith(table));
        const { Items = [] } = await service.dynamodb.send(new ScanCommand({ TableName }));
        const ofTable = twelve.slice(6 * index, 6 * index + 6).map(({ operationId }) => operationId);
        expect(Items.map((item) => item.name).sort()).toEqual(ofTable.sort());
      }
    } finally {
      await service.stop();
    }
  });
});

test('synthesis fails if the function of an operation does not exist, and the message says what to do', () => {
  expect(() => addStack(appOf())).toThrow(
    'lambda/create-plants does not exist: add it, or correct functionName in lib/operations.ts',
  );
});

/** The AWS limits that a stack with more operations approaches, each with its maximum and the template's values. */
function limits(template: string, resources: readonly Resource[]): [string, number, number[]][] {
  const each = (type: string, count: (properties: Json) => number) =>
    ofType(resources, type).map(({ Properties }) => count(Properties));
  const widgets = ofType(resources, 'AWS::CloudWatch::Dashboard').flatMap(
    ({ Properties }) => JSON.parse(readable(Properties.DashboardBody)).widgets,
  );
  const inWidgets = (list: string) => widgets.map(({ properties }: Json) => properties[list]?.length ?? 0);
  const metrics = inWidgets('metrics').reduce((sum: number, count: number) => sum + count);
  return [
    ['resources in a stack', 500, [resources.length]],
    ['bytes in a template', 1_000_000, [template.length]],
    ['metrics in an alarm', 10, each('AWS::CloudWatch::Alarm', ({ Metrics = [] }) => Metrics.length - 1)],
    ['alarms for a deployment', 10, each(GROUP, ({ AlarmConfiguration: { Alarms } }) => Alarms.length)],
    ['alarms in a widget', 100, inWidgets('alarms')],
    ['metrics on a dashboard', 500, [metrics]],
    ['characters in a policy', 10_240, each(POLICY, (policy) => readable(policy.PolicyDocument).length)],
    ["characters in a policy's name", 128, each(POLICY, ({ PolicyName }) => PolicyName.length)],
    ['log groups in a query', 50, each('AWS::Logs::QueryDefinition', (query) => query.LogGroupNames.length)],
    ['characters in any other name', 64, names(resources).map((name) => name.length)],
  ];
}

const GROUP = 'AWS::CodeDeploy::DeploymentGroup';
const POLICY = 'AWS::IAM::Policy';

/** The names that the template sets, without the names that CloudFormation generates. */
function names(resources: readonly Resource[]): string[] {
  return resources.flatMap(({ Properties }) =>
    Object.entries(Properties ?? {}).flatMap(([key, value]) =>
      /^(?!Policy).*Name$/.test(key) && typeof value === 'string' ? [value] : [],
    ),
  );
}
