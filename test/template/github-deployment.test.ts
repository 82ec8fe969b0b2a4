import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { App } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { deploymentOptions } from '../../lib/github/deployment-options.ts';
import { GitHubDeploymentStack } from '../../lib/github/deployment-stack.ts';
import { type Json, readable } from '../support/assembly/template-resources.ts';
import { tableRows } from '../support/pages/code-blocks.ts';
import { runWithStubs, scripts } from '../support/pages/page-commands.ts';
import { appOf, checked } from './stack-template.ts';

const workflow = readFileSync(
  join(import.meta.dirname, '../../.github/workflows/deploy.yml'),
  'utf8',
);

const valid = { repository: 'octo/plants', environments: 'pr,staging,prod' };

const addRoles = (app: App) =>
  new GitHubDeploymentStack(app, 'PlantStoreGitHub', deploymentOptions(app.node));
const templateWith = (options: Record<string, string>) =>
  Template.fromStack(addRoles(appOf(options)));
const standard = templateWith(valid);
/** The template for an account in which a different stack has the OIDC provider and API Gateway's log role. */
const shared = templateWith({ ...valid, oidcProvider: 'existing', apiGatewayLogRole: 'leave' });

const HOST = 'token.actions.githubusercontent.com';

/** The trust statement and the permissions of each role, by the token subject that the role trusts. */
function rolesOf(template: Template): Record<string, { trust: Json; rights: string[] }> {
  const roles = Object.values(template.findResources('AWS::IAM::Role'));
  return Object.fromEntries(
    roles
      .filter(({ Properties: { Policies } }) => Policies)
      .map(({ Properties: { AssumeRolePolicyDocument, Policies } }) => {
        const [trust] = AssumeRolePolicyDocument.Statement;
        const rights = Policies[0].PolicyDocument.Statement.map(
          ({ Action, Resource }: Json) =>
            `${[Action].flat().join(', ')} on ${[Resource].flat().map(readable).join(', ')}`,
        );
        return [trust.Condition.StringEquals[`${HOST}:sub`], { trust, rights }];
      }),
  );
}

describe('the stack for deployments from GitHub', () => {
  test('has one role per environment, which trusts only tokens that GitHub issues to this environment for AWS', () => {
    const roles = rolesOf(standard);
    expect(Object.keys(roles)).toEqual(
      ['pr', 'staging', 'prod'].map((environment) => `repo:octo/plants:environment:${environment}`),
    );
    for (const [subject, { trust }] of Object.entries(roles)) {
      expect(trust).toEqual({
        Effect: 'Allow',
        Action: 'sts:AssumeRoleWithWebIdentity',
        Principal: { Federated: { Ref: expect.any(String) } },
        Condition: {
          StringEquals: { [`${HOST}:aud`]: 'sts.amazonaws.com', [`${HOST}:sub`]: subject },
        },
      });
    }
    for (const output of ['RoleArnpr', 'RoleArnstaging', 'RoleArnprod'])
      standard.hasOutput(output, {});
  });

  test('has roles that can be assumed for at least as long as the longest job can run', () => {
    const jobMinutes =
      workflow.match(/timeout-minutes: \d+/g)?.map((line) => Number(line.split(' ')[1])) ?? [];
    const [, seconds] = /role-duration-seconds: (\d+)/.exec(workflow) ?? [];
    standard.hasResourceProperties('AWS::IAM::Role', { MaxSessionDuration: Number(seconds) });
    expect(Number(seconds)).toBeGreaterThanOrEqual(Math.max(...jobMinutes) * 60);
  });

  test('trusts a token subject that contains ids, which GitHub uses for repositories created since July 2026', () => {
    const template = templateWith({ repository: 'octo@12/plants@34', environments: 'prod' });
    expect(Object.keys(rolesOf(template))).toEqual(['repo:octo@12/plants@34:environment:prod']);
  });

  test.each([
    ['pr', 'PlantStore-pr-*'],
    ['staging', 'PlantStore-staging'],
  ])(
    'allows the environment %s to deploy only through the roles from cdk bootstrap',
    (environment, stack) => {
      const own = (service: string) => `arn:AWS::Partition:${service}:AWS::Region:AWS::AccountId`;
      const bootstrap = (name: string) =>
        `arn:AWS::Partition:iam::AWS::AccountId:role/cdk-hnb659fds-${name}-AWS::AccountId-AWS::Region`;
      expect(rolesOf(standard)[`repo:octo/plants:environment:${environment}`]?.rights).toEqual([
        `sts:AssumeRole on ${bootstrap('deploy-role')}, ${bootstrap('file-publishing-role')}`,
        `cloudformation:DescribeStacks on ${own('cloudformation')}:stack/${stack}/*`,
        `dynamodb:DeleteItem, dynamodb:PutItem on ${own('dynamodb')}:table/${stack}-Tokens*`,
      ]);
    },
  );

  test('creates the account’s OpenID Connect provider, or imports the existing one', () => {
    standard.hasResourceProperties('AWS::IAM::OIDCProvider', {
      Url: `https://${HOST}`,
      ClientIdList: ['sts.amazonaws.com'],
      ThumbprintList: Match.absent(),
    });
    shared.resourceCountIs('AWS::IAM::OIDCProvider', 0);
    expect(JSON.stringify(rolesOf(shared))).toContain(`:oidc-provider/${HOST}`);
  });

  test('retains the provider and the roles if the stack or an environment is removed', () => {
    const resources = Object.values<Json>(standard.toJSON().Resources);
    const kept = resources.filter(({ DeletionPolicy }) => DeletionPolicy === 'Retain');
    expect(kept.map(({ Type }) => Type)).toEqual(resources.map(({ Type }) => Type));
  });

  test('has the role for API Gateway’s logs unless a different stack has it', () => {
    const [[roleId, role] = []] = Object.entries(
      standard.findResources('AWS::IAM::Role', { Properties: { Policies: Match.absent() } }),
    );
    const [account] = Object.values(standard.findResources('AWS::ApiGateway::Account'));
    expect(account?.Properties).toEqual({ CloudWatchRoleArn: { 'Fn::GetAtt': [roleId, 'Arn'] } });
    expect(JSON.stringify(role)).toContain('service-role/AmazonAPIGatewayPushToCloudWatchLogs');
    shared.resourceCountIs('AWS::ApiGateway::Account', 0);
    shared.resourceCountIs('AWS::IAM::Role', 3);
  });

  test.each([
    [{}, /^repository must be OWNER\/NAME/],
    [{ ...valid, repository: 'octo' }, /^repository must be/],
    [{ ...valid, repository: 'octo/*' }, /^repository must be/],
    [{ ...valid, repository: 'octo/plants@34' }, /^repository must be/],
    [{ repository: 'octo/plants' }, /^environments must be names separated by commas/],
    [{ ...valid, environments: 'pr,*' }, /^environments must be/],
    [{ ...valid, oidcProvider: 'import' }, /^oidcProvider must be "existing" or absent/],
    [
      { ...valid, oidcprovider: 'existing' },
      /^unknown option oidcprovider \(.*expected one of repository, environments, oidcProvider, apiGatewayLogRole.*continuous-deployment/,
    ],
    [{ ...valid, apigatewaylogrole: 'leave' }, /^unknown option apigatewaylogrole/],
    [
      { ...valid, apiGatewayLogRole: 'set' },
      /^apiGatewayLogRole must be "leave" or absent, got "set"/,
    ],
  ])('rejects the options %j', (options: Record<string, string>, message) => {
    expect(() => addRoles(appOf(options))).toThrow(message);
  });

  test('accepts a cdk.json that contains options for one stage and for all stages', () => {
    const shared = { prod: { alarmEmail: 'ops@example.com' }, tags: 'team=plants' };
    expect(() => deploymentOptions(appOf({ ...valid, ...shared }).node)).not.toThrow();
  });
});

test('cdk-nag and CloudFormation’s rules report nothing about the stack for deployments from GitHub', () => {
  const app = appOf(valid, true);
  addRoles(app);
  const { packs, violations } = checked(app);
  expect(packs).toContain('AwsSolutions');
  expect(violations).toEqual([]);
});

test('docs/continuous-deployment.md and the commands of deploy:github in the pages have only its options', () => {
  const listed = tableRows('docs/continuous-deployment.md').flatMap(({ option }) => option ?? []);
  const commands = scripts
    .flatMap((script) => runWithStubs(script).commands)
    .filter(({ args }) => args.includes('deploy:github'));
  const used = commands.flatMap(({ args }) => args.filter((_, index) => args[index - 1] === '-c'));
  expect([listed.length, used.length]).not.toContain(0);
  for (const option of [...listed, ...used]) {
    const [name = '', value] = option.replaceAll('`', '').split('=');
    const options = {
      [name]: 'no value',
      ...valid,
      ...(value === undefined ? {} : { [name]: value }),
    };
    expect(deploymentOptions(appOf(options).node)).toBeDefined();
  }
});
