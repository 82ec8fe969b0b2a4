import { describe, expect, test } from '@jest/globals';
import { probesOf } from '../../lambda/pre-traffic/probes.ts';
import { listOperations } from '../../lib/operations.ts';
import { stackResources } from '../support/assembly/stack-template.ts';
import { type Json, ofType, readable } from '../support/assembly/template-resources.ts';
import { read } from '../support/pages/code-blocks.ts';

const resources = stackResources({ stage: 'prod' });
const operations = listOperations();

function resourceAt(path: string) {
  const found = resources.find((resource) => resource.path === `${path}/Resource`);
  if (found === undefined) throw new Error(`the stack has no ${path}`);
  return found;
}

describe.each([
  ...operations.map(({ id, functionName }) => ({
    deployment: id,
    target: id,
    service: functionName,
    alarms: [`${id}Faults`, `${id}Errors`, 'ApiServerErrors'],
  })),
  {
    deployment: 'Authorize',
    target: 'Authorize/Function',
    service: 'authorize',
    alarms: ['AuthorizeFaults', 'ApiServerErrors'],
  },
])('a new version of $service', ({ deployment, target, service, alarms }) => {
  const alias = resourceAt(`${target}/Aliaslive`);
  const group = resourceAt(`Operations/${deployment}/Group`);

  test('is probed before it gets requests, by a hook for its function and version', () => {
    const hook = resourceAt(`Operations/${deployment}/PreTrafficHook/Function`);
    expect(alias.UpdatePolicy.CodeDeployLambdaAliasUpdate).toMatchObject({
      DeploymentGroupName: { Ref: group.logicalId },
      BeforeAllowTrafficHook: { Ref: hook.logicalId },
    });
    const [version] = alias.Properties.FunctionVersion['Fn::GetAtt'];
    expect(hook.Properties).toMatchObject({
      Timeout: 180,
      Environment: { Variables: { NEW_VERSION: { Ref: version }, PROBED_FUNCTION: service } },
    });
    expect(probesOf(service)).not.toEqual([]);
  });

  test('gets requests only after CodeDeploy has its policy and is allowed to invoke the hook', () => {
    expect(`${group.DependsOn}`).toContain('RoleDefaultPolicy');
    const permission = resourceAt(`Operations/${deployment}/PreTrafficHook/Invocation`);
    expect(alias.DependsOn).toContain(permission.logicalId);
  });

  test('gets 10% of the requests for 5 minutes, and is rolled back by an alarm', () => {
    expect(group.Properties).toMatchObject({
      DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent5Minutes',
      AutoRollbackConfiguration: {
        Enabled: true,
        Events: expect.arrayContaining([
          'DEPLOYMENT_STOP_ON_ALARM',
          'DEPLOYMENT_STOP_ON_REQUEST',
          'DEPLOYMENT_FAILURE',
        ]),
      },
    });
    const { Alarms, ...others } = group.Properties.AlarmConfiguration;
    // Without IgnorePollAlarmFailure, CodeDeploy also stops if it cannot read an alarm.
    expect(others).toEqual({ Enabled: true });
    const names = Alarms.map(({ Name }: Json) => readable(Name));
    expect(names.sort()).toEqual(alarms.map((name) => `OperationsAlarms${name}`).sort());
  });
});

test('the runbook returns the alias that gets requests to an older version', () => {
  const names = read('docs/runbook.md').match(
    /(?<=update-alias .*--name )\w+(?= .*--routing-config)/g,
  );
  const aliases = ofType(resources, 'AWS::Lambda::Alias').map(({ Properties }) => Properties.Name);
  expect(new Set(names)).toEqual(new Set(aliases));
});

test('API Gateway has permission to invoke each alias, and nothing else', () => {
  const permissions = ofType(resources, 'AWS::Lambda::Permission');
  const allowed = permissions.map(({ Properties }) => Properties.FunctionName.Ref);
  const aliases = ofType(resources, 'AWS::Lambda::Alias').map(({ logicalId }) => logicalId);
  expect(allowed.sort()).toEqual(aliases.sort());
});
