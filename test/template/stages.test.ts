import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Template } from 'aws-cdk-lib/assertions';
import { checkedOutCommit } from '../../lib/checked-out-commit.ts';
import { stageConfig } from '../../lib/config.ts';
import { operations } from '../../lib/operations.ts';
import { PlantStoreStack } from '../../lib/plant-store-stack.ts';
import { tables } from '../../lib/tables.ts';
import {
  type Json,
  ofType,
  type Resource,
  stackResources,
} from '../support/assembly/template-resources.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { key } from './option-combinations.ts';
import { appOf, stackOf, stackTemplate } from './stack-template.ts';

const trial = { stage: 'trial', profile: 'prod' };
const prod = stackResources({ stage: 'prod' });

const logRole = ['AWS::IAM::Role Retain', 'AWS::ApiGateway::Account Retain'];
const stateful = ['AWS::DynamoDB::GlobalTable', 'AWS::Logs::LogGroup', 'AWS::Lambda::Version'];
const deleted = [...stateful.map((type) => `${type} Delete`), ...logRole];
const [table, log, version] = stateful;
// With RetainExceptOnCreate, a rollback deletes the resources that the failed deployment created, so that the same code
// can be deployed again.
const kept = [
  `${table} Retain`,
  `${log} RetainExceptOnCreate`,
  `${version} RetainExceptOnCreate`,
  ...logRole,
];

test.each<[string, 'kept' | 'deleted', Record<string, string>]>([
  ['dev, the default stage,', 'deleted', {}],
  ['prod', 'kept', { stage: 'prod' }],
  ['a stage with prod’s profile', 'deleted', trial],
  ['a stage with prod’s profile and data=keep', 'kept', { ...trial, data: 'keep' }],
  ['a stage with a name of 20 characters', 'deleted', { stage: 'a-2345678901234567-0' }],
  ['a stage that is named after a member of Object.prototype', 'deleted', { stage: 'constructor' }],
])(
  'if the stack of %s is deleted, its tables, logs and function versions are %s',
  (_, fate, options) => {
    const resources = stackResources(options);
    const withPolicy = resources.filter(({ DeletionPolicy }) => DeletionPolicy !== undefined);
    expect(
      new Set(withPolicy.map(({ Type, DeletionPolicy }) => `${Type} ${DeletionPolicy}`)),
    ).toEqual(new Set(fate === 'kept' ? kept : deleted));
    const isKept = fate === 'kept';
    const { terminationProtection, stackName } = stackOf(options);
    expect([terminationProtection, stackName]).toEqual([
      isKept,
      `PlantStore-${options.stage ?? 'dev'}`,
    ]);
    const retentions = ofType(resources, 'AWS::Logs::LogGroup').map(
      ({ Properties }) => Properties.RetentionInDays,
    );
    expect(new Set(retentions)).toEqual(new Set([isKept ? 365 : 7]));

    for (const { Properties, UpdateReplacePolicy } of ofType(
      resources,
      'AWS::DynamoDB::GlobalTable',
    )) {
      expect(UpdateReplacePolicy).toBe(isKept ? 'Retain' : 'Delete');
      expect(Properties).toMatchObject({
        BillingMode: 'PAY_PER_REQUEST',
        SSESpecification: { SSEEnabled: true },
        Replicas: [
          {
            PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
            DeletionProtectionEnabled: isKept,
          },
        ],
      });
    }
  },
);

test('kmsKeyArn encrypts every table with that key', () => {
  const keys = ofType(stackResources(key), 'AWS::DynamoDB::GlobalTable').map(
    ({ Properties }) => Properties.Replicas[0].SSESpecification,
  );
  expect(keys).toEqual(tables.map(() => ({ KMSMasterKeyId: key.kmsKeyArn })));
});

test('the tokens table has a TTL attribute', () => {
  const tokens = prod.find(({ path }) => path === 'Tokens/Resource');
  expect(tokens?.Properties.TimeToLiveSpecification).toEqual({
    AttributeName: 'expiresAt',
    Enabled: true,
  });
});

test('dev has no alarms and no gradual deployment', () => {
  const types = stackResources().map(({ Type }) => Type);
  expect(types.filter((type) => /CloudWatch::(Composite)?Alarm|CodeDeploy|SNS/.test(type))).toEqual(
    [],
  );
});

test('rollout=all-at-once updates functions without CodeDeploy, and keeps the deployment groups', () => {
  const atOnce = stackResources({ stage: 'prod', rollout: 'all-at-once' });
  const withoutAliases = (all: readonly Resource[]) =>
    all.filter(({ Type }) => Type !== 'AWS::Lambda::Alias');
  expect(withoutAliases(atOnce)).toEqual(withoutAliases(prod));
  expect(updatePolicies(prod).filter(Boolean)).not.toEqual([]);
  expect(updatePolicies(atOnce).filter(Boolean)).toEqual([]);
});

test('no output but BaseUrl contains a URL', () => {
  const outputs = Object.entries(stackTemplate().findOutputs('*'));
  const withUrl = outputs.filter(([, { Value }]) => JSON.stringify(Value).includes('https://'));
  expect(withUrl.map(([name]) => name)).toEqual(['BaseUrl']);
});

test('a new commit changes only the output Commit, and no function version', () => {
  const templates = ['0a1b', '0a1b-dirty'].map((commit) => {
    const app = appOf();
    const stack = new PlantStoreStack(app, 'PlantStore', { config: stageConfig(app.node), commit });
    const { Outputs, ...others } = Template.fromStack(stack).toJSON();
    expect(Outputs.Commit.Value).toBe(commit);
    return others;
  });
  expect(templates[1]).toEqual(templates[0]);
});

test('checkedOutCommit returns the commit, marks edited files, and returns unknown without a repository', () => {
  const folder = temporaryFolder();
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a', ...args], {
      cwd: folder,
      encoding: 'utf8',
    });
  expect(checkedOutCommit(folder)).toBe('unknown');
  writeFileSync(join(folder, 'file'), 'committed');
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--no-verify', '--message=a');
  const commit = git('rev-parse', 'HEAD').trim();
  expect(checkedOutCommit(folder)).toBe(commit);
  writeFileSync(join(folder, 'file'), 'edited');
  expect(checkedOutCommit(folder)).toBe(`${commit}-dirty`);
});

describe('a stage other than prod that has prod’s profile', () => {
  const resources = stackResources(trial);
  // Some logical ids contain the stage's name or a hash, which differ between the stages.
  const outline = (all: readonly Resource[]) =>
    all.map(
      ({ logicalId, Type }) => `${Type} ${logicalId.replace(/(prod|trial|[0-9A-F]{8}).*/, '')}`,
    );

  test('has every resource of prod, including the hooks, the canary and the alarms', () => {
    expect(outline(resources).sort()).toEqual(outline(prod).sort());
    expect(updatePolicies(resources)).toEqual(updatePolicies(prod));
  });

  test('uses its own name in the API, the API’s stage, the functions, the metrics and the alarms', () => {
    expect(
      JSON.stringify(resources).match(/PlantStore-(prod|dev)|"(prod|dev)\\?"|=prod|[^"]STAGE/g),
    ).toBeNull();
    expect(ofType(resources, 'AWS::ApiGateway::RestApi')[0]?.Properties.Name).toBe(
      'PlantStore-trial',
    );
    expect(ofType(resources, 'AWS::ApiGateway::Stage')[0]?.Properties.StageName).toBe('trial');
    for (const { Properties } of ofType(resources, 'AWS::Lambda::Function')) {
      expect(Properties.Environment.Variables.STAGE).toBe('trial');
    }
  });

  test('is configured in cdk.json as staging, and has a deployment group for each function', () => {
    const groups = ofType(stackResources({ stage: 'staging' }), 'AWS::CodeDeploy::DeploymentGroup');
    // The authorizer has a deployment group too.
    expect(groups).toHaveLength(operations.length + 1);
  });
});

// CloudFormation names resources after the stack. The CDK does the same for composite alarms.
test('no resource has a fixed name, so several stages can share one account', () => {
  const NAMES =
    /^(TableName|FunctionName|RoleName|TopicName|AlarmName|DashboardName|LogGroupName|ApplicationName|DeploymentGroupName)$/;
  const named = prod.flatMap(({ logicalId, Type, Properties }) =>
    Object.entries(Properties)
      .filter(
        ([property, value]) =>
          NAMES.test(property) && typeof value === 'string' && !/^PlantStoreprod/.test(value),
      )
      .map(([property]) => `${logicalId} (${Type}): ${property}`),
  );
  expect(named).toEqual([]);
});

function updatePolicies(all: readonly Resource[]): Json[] {
  return ofType(all, 'AWS::Lambda::Alias').map(
    ({ UpdatePolicy }) => UpdatePolicy && Object.keys(UpdatePolicy),
  );
}
