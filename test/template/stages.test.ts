import { describe, expect, test } from '@jest/globals';
import { ofType, readable, stackResources } from '../support/template-resources.ts';
import { stackOf } from './stack-template.ts';

describe('dev, which is what there is without options', () => {
  const resources = stackResources();

  test('leaves nothing behind but the role with which API Gateway writes logs', () => {
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

  test('costs nothing for alarms and deploys at once', () => {
    expect(ofType(resources, 'AWS::CloudWatch::Alarm')).toEqual([]);
    expect(ofType(resources, 'AWS::CodeDeploy::DeploymentGroup')).toEqual([]);
  });
});

describe('prod', () => {
  const resources = stackResources({ stage: 'prod' });

  test('keeps and protects its tables, its logs and the stack', () => {
    const precious = [
      ...ofType(resources, 'AWS::DynamoDB::GlobalTable'),
      ...ofType(resources, 'AWS::Logs::LogGroup'),
    ];
    expect(precious.filter(({ DeletionPolicy }) => DeletionPolicy !== 'Retain')).toEqual([]);
    for (const { Properties } of ofType(resources, 'AWS::DynamoDB::GlobalTable')) {
      expect(Properties.Replicas).toEqual([
        expect.objectContaining({
          DeletionProtectionEnabled: true,
          PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        }),
      ]);
    }
    expect(stackOf({ stage: 'prod' }).terminationProtection).toBe(true);
  });

  test('keeps logs for a year', () => {
    expect(retentions(resources)).toEqual(new Set([365]));
  });

  test('tells alarmEmail of alarms, where there is one', () => {
    const withEmail = stackResources({ stage: 'prod', alarmEmail: 'ops@example.com' });

    expect(ofType(resources, 'AWS::SNS::Subscription')).toEqual([]);
    expect(ofType(withEmail, 'AWS::SNS::Subscription').map(({ Properties }) => Properties)).toEqual([
      expect.objectContaining({ Protocol: 'email', Endpoint: 'ops@example.com' }),
    ]);
  });

  test('can deploy at once, past an alarm that is on', () => {
    const atOnce = stackResources({ stage: 'prod', rollout: 'all-at-once' });

    expect(ofType(atOnce, 'AWS::CodeDeploy::DeploymentGroup')).toEqual([]);
    expect(ofType(atOnce, 'AWS::Lambda::Alias').filter(({ UpdatePolicy }) => UpdatePolicy)).toEqual([]);
    expect(ofType(atOnce, 'AWS::CloudWatch::Alarm')).not.toEqual([]);
  });
});

test('both stages fit into one account: nothing has a name of its own', () => {
  const NAMES =
    /^(TableName|FunctionName|RoleName|TopicName|AlarmName|DashboardName|LogGroupName|ApplicationName|DeploymentGroupName)$/;
  const named = stackResources({ stage: 'prod' }).flatMap(({ logicalId, Type, Properties }) =>
    Object.entries(Properties)
      .filter(([property, value]) => NAMES.test(property) && typeof value === 'string')
      .map(([property]) => `${logicalId} (${Type}): ${property}`),
  );
  expect(named).toEqual([]);
});

describe('into an account that has never logged an API', () => {
  const resources = stackResources();
  const [account] = ofType(resources, 'AWS::ApiGateway::Account');
  const [stage] = ofType(resources, 'AWS::ApiGateway::Stage');

  test('the role for that comes first', () => {
    expect(readable(account?.Properties.CloudWatchRoleArn)).toBe('ApiRestApiCloudWatchRole.Arn');
    expect(stage?.DependsOn).toContain(account?.logicalId);
  });
});

describe('a wrong option fails at synth with what to do', () => {
  test.each([
    [{ stage: 'production' }, 'stage must be dev or prod, not "production": -c stage=dev'],
    [{ stage: '' }, 'stage must be dev or prod, not "": -c stage=dev'],
    [{ stage: 'prod', rollout: 'slow' }, 'rollout must be canary or all-at-once, not "slow"'],
    [{ stage: 'prod', alarmEmail: 'ops' }, 'alarmEmail must be an e-mail address, not "ops"'],
    [{ alarmEmail: 'ops@example.com' }, 'alarmEmail are options of prod, not of dev: add -c stage=prod'],
    [{ rollout: 'canary' }, 'options of prod, not of dev: add -c stage=prod'],
    [{ stag: 'prod' }, 'there is no option stag: the options are stage, '],
  ])('%j', (options, message) => {
    expect(() => stackOf(options)).toThrow(message);
  });
});

function retentions(resources: ReturnType<typeof stackResources>): Set<number> {
  return new Set(
    ofType(resources, 'AWS::Logs::LogGroup').map(({ Properties }) => Properties.RetentionInDays),
  );
}
