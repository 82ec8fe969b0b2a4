import { describe, expect, test } from '@jest/globals';
import { probesOf } from '../../lambda/pre-traffic/probes.ts';
import { METRICS_NAMESPACE } from '../../lambda/shared/log/request-log.ts';
import { operations } from '../../lib/operations.ts';
import { type Json, ofType, readable, stackResources } from '../support/template-resources.ts';

const resources = stackResources({ stage: 'prod' });
const byId = new Map(resources.map((resource) => [resource.logicalId, resource]));

describe.each([
  ...operations.map(({ id, functionName }) => [id, functionName] as const),
  ['AuthorizeFunction', 'authorize'],
])('a new version of %s', (functionId, service) => {
  const alias = ofType(resources, 'AWS::Lambda::Alias').find(
    ({ Properties }) => readable(Properties.FunctionName) === functionId,
  );
  const { DeploymentGroupName, BeforeAllowTrafficHook } =
    alias?.UpdatePolicy?.CodeDeployLambdaAliasUpdate ?? {};
  const group = byId.get(DeploymentGroupName?.Ref)?.Properties;
  const alarms: Json[] = group.AlarmConfiguration.Alarms.map(
    ({ Name }: Json) => byId.get(Name.Ref)?.Properties,
  );
  const metrics = alarms.flatMap(({ Metrics }) =>
    Metrics.flatMap(({ MetricStat }: Json) => MetricStat ?? []),
  );

  test('is probed before it gets requests, by a hook for its function and version', () => {
    const hook = byId.get(BeforeAllowTrafficHook?.Ref);
    const { NEW_VERSION, PROBED_FUNCTION } = hook?.Properties.Environment.Variables ?? {};
    expect(NEW_VERSION.Ref).toBe(alias?.Properties.FunctionVersion['Fn::GetAtt'][0]);
    expect(PROBED_FUNCTION).toBe(service);
    expect(probesOf(service)).not.toEqual([]);
  });

  test('gets requests only after CodeDeploy is allowed to invoke the hook', () => {
    const policies = alias?.DependsOn.map((id) => byId.get(id)).filter(
      (it) => it?.Type === 'AWS::IAM::Policy',
    );
    const roles = policies?.flatMap((policy) => policy?.Properties.Roles ?? []);
    expect(roles?.map(readable)).toEqual([readable({ Ref: group.ServiceRoleArn['Fn::GetAtt'][0] })]);
  });

  test('gets 10% of the requests for 5 minutes, which is long enough for each of its alarms to roll it back', () => {
    expect(group).toMatchObject({
      DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent5Minutes',
      AutoRollbackConfiguration: {
        Enabled: true,
        Events: expect.arrayContaining(['DEPLOYMENT_STOP_ON_ALARM', 'DEPLOYMENT_FAILURE']),
      },
      AlarmConfiguration: { Enabled: true },
    });
    // An alarm's window slides, and can start before the canary, so a window of 5 minutes is short enough.
    for (const { Period } of metrics) expect(Period).toBeLessThanOrEqual(5 * 60);
    for (const { EvaluationPeriods } of alarms) expect(EvaluationPeriods).toBe(1);
  });

  test('is rolled back by an alarm on faults, which have the status 400, and by an alarm on 5xx responses', () => {
    const Dimensions = [
      { Name: 'service', Value: service },
      { Name: 'stage', Value: 'prod' },
    ];
    const Metric = { Namespace: METRICS_NAMESPACE, MetricName: 'Faults', Dimensions };
    expect(metrics).toContainEqual(expect.objectContaining({ Metric, Stat: 'Sum' }));
    expect(metrics.map(({ Metric }: Json) => Metric.MetricName)).toContain('5XXError');
  });
});

describe('API Gateway', () => {
  const aliases = new Set(ofType(resources, 'AWS::Lambda::Alias').map(({ logicalId }) => logicalId));

  test('invokes an alias for each method and for the authorizer', () => {
    const uris = [
      ...ofType(resources, 'AWS::ApiGateway::Method').map(({ Properties }) => Properties.Integration.Uri),
      ...ofType(resources, 'AWS::ApiGateway::Authorizer').map(({ Properties }) => Properties.AuthorizerUri),
    ];
    for (const uri of uris) {
      const referenced = [...JSON.stringify(uri).matchAll(/"Ref":"([^"]+)"/g)].map(([, id = '']) => id);
      expect(referenced.some((id) => aliases.has(id))).toBe(true);
      expect(referenced.some((id) => byId.get(id)?.Type === 'AWS::Lambda::Function')).toBe(false);
    }
  });

  test('has permission to invoke only the aliases', () => {
    const permissions = ofType(resources, 'AWS::Lambda::Permission');
    expect(new Set(permissions.map(({ Properties }) => Properties.FunctionName.Ref))).toEqual(aliases);
  });
});
