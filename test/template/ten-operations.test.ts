import { statSync } from 'node:fs';
import { expect, jest, test } from '@jest/globals';
import { stageConfig } from '../../lib/config.ts';
import { operations as deployed } from '../../lib/operations.ts';
import { tables as deployedTables } from '../../lib/tables.ts';
import { type Json, ofType, readable, resourcesOf } from '../support/template-resources.ts';
import { everyOptionOfProd } from './option-combinations.ts';
import { checked } from './stack-template.ts';

const [createPlant] = deployed;
const tables = [{ ...deployedTables[0], name: 'sheds', id: 'Sheds' }, ...deployedTables];
const operation = {
  ...createPlant,
  tables: [{ table: 'sheds', actions: ['dynamodb:PutItem', 'dynamodb:GetItem', 'dynamodb:Query'] }],
};

/** Synthesizes prod with every option, with these operations in place of those in lib/operations.ts. */
async function prodWith(operations: readonly object[]) {
  jest.resetModules();
  // Modules loaded from now on use these operations and tables.
  jest.doMock('../../lib/operations.ts', () => ({ operations }));
  jest.doMock('../../lib/tables.ts', () => ({ tables }));
  const { PlantStoreStack } = await import('../../lib/plant-store-stack.ts');
  return checked(everyOptionOfProd, (app) => {
    new PlantStoreStack(app, 'PlantStore', { config: stageConfig(app.node) });
  });
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
  const inWidgets = (list: string) => widgets.map(({ properties }: Json) => properties[list]?.length ?? 0);
  const group = 'AWS::CodeDeploy::DeploymentGroup';
  const query = 'AWS::Logs::QueryDefinition';
  const quotas: [quota: string, maximum: number, values: number[]][] = [
    ['resources in a stack', 500, [resources.length]],
    ['bytes in a template', 1_000_000, [statSync(templateFullPath).size]],
    ['metrics in an alarm', 10, each('AWS::CloudWatch::Alarm', ({ Metrics = [] }) => Metrics.length - 1)],
    ['alarms for a deployment', 10, each(group, ({ AlarmConfiguration: { Alarms } }) => Alarms.length)],
    ['alarms in a widget', 100, inWidgets('alarms')],
    ['metrics in a widget', 500, inWidgets('metrics')],
    ['log groups in a query', 50, each(query, ({ LogGroupNames }) => LogGroupNames.length)],
  ];
  const used = quotas.map(([quota, maximum, values]) => ({ quota, maximum, used: Math.max(...values) }));
  expect(used.filter(({ maximum, used }) => !(used > 0 && used <= maximum))).toEqual([]);
  expect(each('AWS::ApiGateway::Method', () => 1)).toHaveLength(ten.length);
  expect(each('AWS::DynamoDB::GlobalTable', () => 1)).toHaveLength(tables.length);
});

test('synthesis fails if the function of an operation does not exist, and the message says what to do', async () => {
  await expect(prodWith([{ ...operation, functionName: 'create-plants' }])).rejects.toThrow(
    'lambda/create-plants does not exist: add it, or correct functionName in lib/operations.ts',
  );
});
