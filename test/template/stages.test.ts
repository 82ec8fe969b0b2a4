import { describe, expect, test } from '@jest/globals';
import { operations } from '../../lib/operations.ts';
import { ofType, readable, stackResources } from '../support/template-resources.ts';
import { stackOf, stackTemplate } from './stack-template.ts';

describe('dev, the default stage', () => {
  const resources = stackResources();

  test('retains only the role with which API Gateway writes logs', () => {
    const kept = resources.filter(({ DeletionPolicy }) => DeletionPolicy === 'Retain');
    expect(kept.map(({ path }) => path)).toEqual([
      'Api/RestApi/CloudWatchRole/Resource',
      'Api/RestApi/Account',
    ]);
    expect(stackOf().terminationProtection).toBe(false);
  });

  test('keeps logs for a week', () => {
    expect(retentions(resources)).toEqual(new Set([7]));
  });

  test('has no alarms and no gradual deployment', () => {
    expect(ofType(resources, 'AWS::CloudWatch::Alarm')).toEqual([]);
    expect(ofType(resources, 'AWS::CodeDeploy::DeploymentGroup')).toEqual([]);
  });
});

describe('prod', () => {
  const resources = stackResources({ stage: 'prod' });

  test('protects the stack against deletion', () => {
    expect(stackOf({ stage: 'prod' }).terminationProtection).toBe(true);
  });

  test.each(['AWS::Lambda::Version', 'AWS::Logs::LogGroup'])(
    'retains each %s, except if its own deployment is rolled back, so that the same code can be deployed again',
    (type) => {
      const kept = ofType(resources, type);
      expect(kept).not.toEqual([]);
      for (const resource of kept) {
        expect(resource).toMatchObject({
          DeletionPolicy: 'RetainExceptOnCreate',
          UpdateReplacePolicy: 'Retain',
        });
      }
    },
  );

  test('keeps logs for a year', () => {
    expect(retentions(resources)).toEqual(new Set([365]));
  });

  test('mails nobody if alarmEmail is not set', () => {
    expect(ofType(resources, 'AWS::SNS::Subscription')).toEqual([]);
  });

  test('updates functions without CodeDeploy with rollout=all-at-once, and keeps the deployment groups', () => {
    const atOnce = stackResources({ stage: 'prod', rollout: 'all-at-once' });

    const withoutAliases = (all: typeof resources) => all.filter(({ Type }) => Type !== 'AWS::Lambda::Alias');
    expect(withoutAliases(atOnce)).toEqual(withoutAliases(resources));
    const updatePolicies = (all: typeof resources) =>
      ofType(all, 'AWS::Lambda::Alias').map(({ UpdatePolicy }) => UpdatePolicy);
    expect(updatePolicies(atOnce)).toEqual([undefined, undefined]);
    expect(updatePolicies(resources)).not.toContain(undefined);
  });
});

test('the only output with an address is BaseUrl', () => {
  const outputs = stackTemplate().findOutputs('*');
  expect(Object.keys(outputs).sort()).toEqual(['BaseUrl', 'DashboardName', 'TokensTableName']);
});

describe('another stage with the profile of prod', () => {
  const resources = stackResources({ stage: 'rehearsal', profile: 'prod' });
  const ofProd = stackResources({ stage: 'prod' });
  // What differs: names, and how long something is kept.
  const outline = (all: typeof resources) =>
    all.map(({ logicalId, Type }) => `${Type} ${logicalId.replace(/(prod|rehearsal|[0-9A-F]{8}).*/, '')}`);

  test('has every resource of prod: hook, canary and alarms', () => {
    expect(outline(resources).sort()).toEqual(outline(ofProd).sort());
    const rollouts = (all: typeof resources) =>
      ofType(all, 'AWS::Lambda::Alias').map(({ UpdatePolicy }) => Object.keys(UpdatePolicy ?? {}));
    expect(rollouts(resources)).toEqual(rollouts(ofProd));
  });

  test('can be deleted again like dev, unless its data is to be kept', () => {
    const policies = (all: typeof resources) =>
      all.filter(({ path }) => !path.includes('/RestApi/')).map(({ DeletionPolicy }) => DeletionPolicy);
    expect(new Set(policies(resources))).toEqual(new Set(['Delete', undefined]));
    expect(retentions(resources)).toEqual(new Set([7]));
    expect(stackOf({ stage: 'rehearsal', profile: 'prod' }).terminationProtection).toBe(false);

    const kept = { stage: 'rehearsal', profile: 'prod', data: 'keep' };
    expect(policies(stackResources(kept)).sort()).toEqual(policies(ofProd).sort());
    expect(retentions(stackResources(kept))).toEqual(new Set([365]));
    expect(stackOf(kept).terminationProtection).toBe(true);
  });

  test('names itself in its alarms', () => {
    const texts = ofType(resources, 'AWS::CloudWatch::Alarm').map(
      ({ Properties }) => Properties.AlarmDescription,
    );
    expect(texts.join('\n')).toContain('npx cdk deploy -c stage=rehearsal -c rollout=all-at-once');
    expect(texts.filter((text) => /STAGE|PlantStore-prod|=prod/.test(text))).toEqual([]);
  });

  test('is what the workflow deploys as staging', () => {
    const groups = ofType(stackResources({ stage: 'staging' }), 'AWS::CodeDeploy::DeploymentGroup');
    // The authorizer has one too.
    expect(groups).toHaveLength(operations.length + 1);
  });
});

// CloudFormation names resources after the stack, and the CDK does so for composite alarms.
test('no resource has a fixed name, so that several stages fit into one account', () => {
  const NAMES =
    /^(TableName|FunctionName|RoleName|TopicName|AlarmName|DashboardName|LogGroupName|ApplicationName|DeploymentGroupName)$/;
  const named = stackResources({ stage: 'prod' }).flatMap(({ logicalId, Type, Properties }) =>
    Object.entries(Properties)
      .filter(
        ([property, value]) =>
          NAMES.test(property) && typeof value === 'string' && !/^PlantStoreprod/.test(value),
      )
      .map(([property]) => `${logicalId} (${Type}): ${property}`),
  );
  expect(named).toEqual([]);
});

describe('in an account without a logging role for API Gateway', () => {
  const resources = stackResources();
  const [account] = ofType(resources, 'AWS::ApiGateway::Account');
  const [stage] = ofType(resources, 'AWS::ApiGateway::Stage');

  test('the API stage is created after the role', () => {
    expect(readable(account?.Properties.CloudWatchRoleArn)).toBe('ApiRestApiCloudWatchRole.Arn');
    expect(stage?.DependsOn).toContain(account?.logicalId);
  });
});

function retentions(resources: ReturnType<typeof stackResources>): Set<number> {
  return new Set(
    ofType(resources, 'AWS::Logs::LogGroup').map(({ Properties }) => Properties.RetentionInDays),
  );
}
