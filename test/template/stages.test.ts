import { describe, expect, test } from '@jest/globals';
import { ofType, readable, stackResources } from '../support/template-resources.ts';
import { stackOf } from './stack-template.ts';

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

  test('retains tables and logs, and protects tables and the stack against deletion', () => {
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

  test('subscribes alarmEmail to the alarms if it is set', () => {
    const withEmail = stackResources({ stage: 'prod', alarmEmail: 'ops@example.com' });

    expect(ofType(resources, 'AWS::SNS::Subscription')).toEqual([]);
    expect(ofType(withEmail, 'AWS::SNS::Subscription').map(({ Properties }) => Properties)).toEqual([
      expect.objectContaining({ Protocol: 'email', Endpoint: 'ops@example.com' }),
    ]);
  });

  test('has no gradual deployment with rollout=all-at-once, even while an alarm is on', () => {
    const atOnce = stackResources({ stage: 'prod', rollout: 'all-at-once' });

    expect(ofType(atOnce, 'AWS::CodeDeploy::DeploymentGroup')).toEqual([]);
    expect(ofType(atOnce, 'AWS::Lambda::Alias').filter(({ UpdatePolicy }) => UpdatePolicy)).toEqual([]);
    expect(ofType(atOnce, 'AWS::CloudWatch::Alarm')).not.toEqual([]);
  });
});

test('no resource has a fixed name, so that both stages fit into one account', () => {
  const NAMES =
    /^(TableName|FunctionName|RoleName|TopicName|AlarmName|DashboardName|LogGroupName|ApplicationName|DeploymentGroupName)$/;
  const named = stackResources({ stage: 'prod' }).flatMap(({ logicalId, Type, Properties }) =>
    Object.entries(Properties)
      .filter(([property, value]) => NAMES.test(property) && typeof value === 'string')
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

describe('a wrong option is rejected at synth with what to do', () => {
  test.each([
    [{ stage: 'production' }, 'stage must be dev or prod, not "production": -c stage=dev'],
    [{ stage: '' }, 'stage must be dev or prod, not "": -c stage=dev'],
    [{ stage: 'prod', rollout: 'slow' }, 'rollout must be canary or all-at-once, not "slow"'],
    [{ stage: 'prod', alarmEmail: 'ops' }, 'alarmEmail must be an email address, not "ops"'],
    [{ alarmEmail: 'ops@example.com' }, 'alarmEmail are options of prod, not of dev; add -c stage=prod'],
    [{ rollout: 'canary' }, 'options of prod, not of dev; add -c stage=prod'],
    [{ stag: 'prod' }, 'unknown option stag; expected one of stage, '],
  ])('%j', (options, message) => {
    expect(() => stackOf(options)).toThrow(message);
  });
});

function retentions(resources: ReturnType<typeof stackResources>): Set<number> {
  return new Set(
    ofType(resources, 'AWS::Logs::LogGroup').map(({ Properties }) => Properties.RetentionInDays),
  );
}
