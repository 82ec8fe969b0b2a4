import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { FileSystem } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { PlantStoreStack } from '../../lib/plant-store-stack.ts';
import { stageConfig } from '../../lib/stage-config.ts';
import {
  appOf,
  stackOf,
  stackResources,
  stackTemplate,
} from '../support/assembly/stack-template.ts';
import { synthesizedAssembly } from '../support/assembly/synthesized-assembly.ts';
import {
  type Json,
  ofType,
  type Resource,
  readable,
} from '../support/assembly/template-resources.ts';
import { everyOptionOfProd } from './option-combinations.ts';

/** In cdk.json, this stage has the profile of prod. */
const staging = { stage: 'staging' };
const prod = stackResources({ stage: 'prod' });

function expectEach(resources: readonly Resource[], type: string, expected: object): void {
  const found = ofType(resources, type);
  expect(found).not.toEqual([]);
  for (const resource of found) expect(resource).toMatchObject(expected);
}

test.each<Record<string, string>>([{ stage: 'prod' }, { ...staging, data: 'keep' }])(
  'the stack keeps its data when it is deleted, and its logs for a year, with %j',
  (options) => {
    const resources = stackResources(options);
    expect(stackOf(options).terminationProtection).toBe(true);
    expectEach(resources, 'AWS::DynamoDB::GlobalTable', {
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: { Replicas: [{ DeletionProtectionEnabled: true }] },
    });
    // With RetainExceptOnCreate, a rollback deletes the resources that the failed deployment created, so that the same
    // code can be deployed again.
    const DeletionPolicy = 'RetainExceptOnCreate';
    const Properties = { RetentionInDays: 365 };
    expectEach(resources, 'AWS::Logs::LogGroup', { DeletionPolicy, Properties });
    expectEach(resources, 'AWS::Lambda::Version', { DeletionPolicy });
  },
);

test.each<Record<string, string>>([{}, staging])(
  'nothing of the service remains when the stack is deleted, with %j',
  (options) => {
    const resources = stackResources(options);
    const { terminationProtection, stackName } = stackOf(options);
    expect(terminationProtection).toBe(false);
    expect(stackName).toBe(`PlantStore-${options.stage ?? 'dev'}`);
    const DeletionPolicy = 'Delete';
    expectEach(resources, 'AWS::DynamoDB::GlobalTable', {
      DeletionPolicy,
      UpdateReplacePolicy: 'Delete',
      Properties: { Replicas: [{ DeletionProtectionEnabled: false }] },
    });
    const Properties = { RetentionInDays: 7 };
    expectEach(resources, 'AWS::Logs::LogGroup', { DeletionPolicy, Properties });
    expectEach(resources, 'AWS::Lambda::Version', { DeletionPolicy });
  },
);

test('the hash of each function’s asset covers its whole bundle, so that any change is deployed', () => {
  const assets = globSync(join(synthesizedAssembly(), 'asset.*/'));
  expect(assets).not.toEqual([]);
  for (const asset of assets)
    expect(`asset.${FileSystem.fingerprint(asset)}`).toBe(basename(asset));
});

test('the role for API Gateway’s logs remains, because other stacks in the account use it', () => {
  const dev = stackResources();
  expectEach(dev, 'AWS::ApiGateway::Account', { DeletionPolicy: 'Retain' });
  const role = dev.find(({ path }) => path === 'Api/RestApi/CloudWatchRole/Resource');
  expect(role?.DeletionPolicy).toBe('Retain');
});

test('every table has its stage’s tags in its replica, because a global table gets no stack tags', () => {
  expectEach(stackResources(everyOptionOfProd), 'AWS::DynamoDB::GlobalTable', {
    Properties: {
      Replicas: [
        {
          Tags: [
            { Key: 'cost-center', Value: '42' },
            { Key: 'team', Value: 'a.b and c' },
          ],
        },
      ],
    },
  });
});

test('every table is encrypted, billed per request, and can be restored to any point in time', () => {
  expectEach(prod, 'AWS::DynamoDB::GlobalTable', {
    Properties: {
      BillingMode: 'PAY_PER_REQUEST',
      SSESpecification: { SSEEnabled: true },
      Replicas: [{ PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } }],
    },
  });
});

test('tables have no throughput limit, and the metrics of every log group are extracted', () => {
  expect(JSON.stringify(ofType(prod, 'AWS::DynamoDB::GlobalTable'))).not.toContain('Throughput');
  const logGroupSettings = ofType(prod, 'AWS::Logs::LogGroup').flatMap(({ Properties }) =>
    Object.keys(Properties),
  );
  expect(logGroupSettings).toContain('RetentionInDays');
  expect(logGroupSettings).not.toContain('LogGroupClass');
});

test('kmsKeyArn encrypts every table with that key', () => {
  const SSESpecification = { KMSMasterKeyId: everyOptionOfProd.kmsKeyArn };
  expectEach(stackResources(everyOptionOfProd), 'AWS::DynamoDB::GlobalTable', {
    Properties: { Replicas: [{ SSESpecification }] },
  });
});

test('functions call DynamoDB in their Region over HTTPS', () => {
  const endpoints = ofType(prod, 'AWS::Lambda::Function').flatMap(
    ({ Properties }) => Properties.Environment.Variables.AWS_ENDPOINT_URL_DYNAMODB ?? [],
  );
  expect(endpoints).not.toEqual([]);
  for (const endpoint of endpoints)
    expect(readable(endpoint)).toBe('https://dynamodb.AWS::Region.AWS::URLSuffix');
});

test('the tokens table has a TTL attribute', () => {
  const tokens = prod.find(({ path }) => path === 'Tokens/Resource');
  expect(tokens?.Properties.TimeToLiveSpecification).toEqual({
    AttributeName: 'expiresAt',
    Enabled: true,
  });
});

test('rollout=all-at-once updates functions without CodeDeploy, and keeps the deployment groups', () => {
  const isAlias = ({ Type }: Resource) => Type === 'AWS::Lambda::Alias';
  const atOnce = stackResources({ stage: 'prod', rollout: 'all-at-once' });
  expect(atOnce.filter((each) => !isAlias(each))).toEqual(prod.filter((each) => !isAlias(each)));
  for (const alias of atOnce.filter(isAlias)) expect(alias.UpdatePolicy).toBeUndefined();
});

test('no output but BaseUrl contains a URL', () => {
  const outputs = Object.entries<Json>(stackTemplate().Outputs);
  const withUrl = outputs.filter(([, { Value }]) => JSON.stringify(Value).includes('https://'));
  expect(withUrl.map(([name, { Value }]) => [name, readable(Value)])).toEqual([
    ['BaseUrl', 'https://ApiRestApi.execute-api.AWS::Region.AWS::URLSuffix/dev'],
  ]);
});

test('a new commit changes only the output Commit, and no function version', () => {
  const app = appOf();
  const options = { config: stageConfig(app.node), commit: '0a1b' };
  const stack = new PlantStoreStack(app, 'PlantStore-dev', options);
  const expected = stackTemplate();
  expected.Outputs.Commit.Value = '0a1b';
  expect(Template.fromStack(stack).toJSON()).toEqual(expected);
});

describe('a stage other than prod that has prod’s profile, such as staging in cdk.json,', () => {
  const resources = stackResources(staging);

  test('has as many resources of each type as prod, including hooks and alarms, and the canary', () => {
    const typesOf = (all: readonly Resource[]) => all.map(({ Type }) => Type).sort();
    expect(typesOf(resources)).toEqual(typesOf(prod));
    expectEach(resources, 'AWS::Lambda::Alias', { UpdatePolicy: expect.anything() });
  });

  test('uses its own name in the API, the API’s stage, the functions, the metrics and the alarms', () => {
    expect(
      JSON.stringify(resources).match(/PlantStore-(prod|dev)|"(prod|dev)\\?"|=prod|[^"]STAGE/g),
    ).toBeNull();
    expectEach(resources, 'AWS::ApiGateway::RestApi', {
      Properties: { Name: 'PlantStore-staging' },
    });
  });
});

// CloudFormation names resources after the stack. The CDK does the same for composite alarms.
test('no resource has a fixed name, so several stages can share one account', () => {
  const NAMES =
    /^(TableName|FunctionName|RoleName|TopicName|AlarmName|DashboardName|LogGroupName|ApplicationName|DeploymentGroupName)$/;
  for (const { Properties } of prod) {
    for (const [property, value] of Object.entries(Properties)) {
      if (NAMES.test(property) && typeof value === 'string')
        expect(value).toMatch(/^PlantStoreprod/);
    }
  }
});
