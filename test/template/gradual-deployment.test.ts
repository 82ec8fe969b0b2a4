import { describe, expect, test } from '@jest/globals';
import { probesOf } from '../../lambda/pre-traffic/probes.ts';
import { operations } from '../../lib/operations.ts';
import { ofType, readable, stackResources } from '../support/assembly/template-resources.ts';

const resources = stackResources({ stage: 'prod' });
const byId = new Map(resources.map((resource) => [resource.logicalId, resource]));

// test/template/alarms.test.ts lists the alarms that roll a version back, and their windows.
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
    expect(roles?.map(readable)).toEqual([
      readable({ Ref: group.ServiceRoleArn['Fn::GetAtt'][0] }),
    ]);
  });

  test('gets 10% of the requests for 5 minutes, and is rolled back by an alarm', () => {
    expect(group).toMatchObject({
      DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent5Minutes',
      AutoRollbackConfiguration: {
        Enabled: true,
        Events: expect.arrayContaining(['DEPLOYMENT_STOP_ON_ALARM', 'DEPLOYMENT_FAILURE']),
      },
      AlarmConfiguration: { Enabled: true },
    });
  });
});

describe('API Gateway', () => {
  const aliases = new Set(
    ofType(resources, 'AWS::Lambda::Alias').map(({ logicalId }) => logicalId),
  );

  test('invokes an alias for each method and for the authorizer', () => {
    const uris = [
      ...ofType(resources, 'AWS::ApiGateway::Method').map(
        ({ Properties }) => Properties.Integration.Uri,
      ),
      ...ofType(resources, 'AWS::ApiGateway::Authorizer').map(
        ({ Properties }) => Properties.AuthorizerUri,
      ),
    ];
    for (const uri of uris) {
      const referenced = [...JSON.stringify(uri).matchAll(/"Ref":"([^"]+)"/g)].map(
        ([, id = '']) => id,
      );
      expect(referenced.some((id) => aliases.has(id))).toBe(true);
      expect(referenced.some((id) => byId.get(id)?.Type === 'AWS::Lambda::Function')).toBe(false);
    }
  });

  test('has permission to invoke only the aliases', () => {
    const permissions = ofType(resources, 'AWS::Lambda::Permission');
    expect(new Set(permissions.map(({ Properties }) => Properties.FunctionName.Ref))).toEqual(
      aliases,
    );
  });
});
