import { describe, expect, test } from '@jest/globals';
import type { App } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { rolesOptions } from '../../lib/github/roles-options.ts';
import { GitHubRolesStack } from '../../lib/github/roles-stack.ts';
import { appOf, checked } from '../support/assembly/stack-template.ts';
import {
  type Json,
  ofType,
  readable,
  resourcesOf,
} from '../support/assembly/template-resources.ts';
import { tableRows } from '../support/pages/code-blocks.ts';
import { contextIn, runWithStubs, scripts } from '../support/pages/page-commands.ts';
import { readWorkflow } from '../workflows/workflow-files.ts';

const valid = { repository: 'octo/plants', environments: 'pr,staging,prod' };

const addRoles = (app: App) =>
  new GitHubRolesStack(app, 'PlantStoreGitHub', rolesOptions(app.node));
const templateWith = (options: Record<string, string>) =>
  Template.fromStack(addRoles(appOf(options)));
const standard = templateWith(valid);
/** The template for an account in which a different stack has the OIDC provider and API Gateway's log role. */
const shared = templateWith({ ...valid, oidcProvider: 'existing', apiGatewayLogRole: 'leave' });

const HOST = 'token.actions.githubusercontent.com';

/** The role of a GitHub environment. */
function roleOf(template: Template, environment: string): Json {
  const roles = ofType(resourcesOf(template.toJSON()), 'AWS::IAM::Role');
  return roles.find(({ path }) => path === `Role-${environment}/Resource`)?.Properties;
}

describe('the stack for deployments from GitHub', () => {
  test.each([
    [valid, 'pr', 'repo:octo/plants:environment:pr'],
    [valid, 'staging', 'repo:octo/plants:environment:staging'],
    // GitHub uses subjects with ids for repositories created since July 2026.
    [
      { repository: 'octo@12/plants.v_2@34', environments: 'prod' },
      'prod',
      'repo:octo@12/plants.v_2@34:environment:prod',
    ],
  ])(
    'has a role that trusts only GitHub’s tokens for AWS and for one environment: %j, %s',
    (options, environment, subject) => {
      const template = templateWith(options);
      expect(roleOf(template, environment).AssumeRolePolicyDocument.Statement).toEqual([
        {
          Effect: 'Allow',
          Action: 'sts:AssumeRoleWithWebIdentity',
          Principal: { Federated: { Ref: expect.any(String) } },
          Condition: {
            StringEquals: { [`${HOST}:aud`]: 'sts.amazonaws.com', [`${HOST}:sub`]: subject },
          },
        },
      ]);
      const output = template.toJSON().Outputs[`RoleArn${environment}`];
      expect(readable(output.Value)).toBe(`Role${environment}.Arn`);
    },
  );

  test('has roles that can be assumed for at least as long as the longest job can run', () => {
    const { jobs, text } = readWorkflow('.github/workflows/deploy.yml');
    const minutes = Math.max(...Object.values(jobs).map((job) => job['timeout-minutes']));
    const seconds = roleOf(standard, 'prod').MaxSessionDuration;
    expect(seconds).toBeGreaterThanOrEqual(minutes * 60);
    const durations = text.match(/(?<=role-duration-seconds: )\d+/g);
    expect(new Set(durations)).toEqual(new Set([`${seconds}`]));
  });

  test.each([
    ['pr', 'PlantStore-pr-*'],
    ['staging', 'PlantStore-staging'],
  ])(
    'allows an environment to deploy only through the roles from cdk bootstrap: %s',
    (environment, stack) => {
      const [policy, ...more] = roleOf(standard, environment).Policies;
      expect(more).toEqual([]);
      const rights = policy.PolicyDocument.Statement.map(
        ({ Action, Resource }: Json) =>
          `${[Action].flat().join(', ')} on ${[Resource].flat().map(readable).join(', ')}`,
      );
      const bootstrap = 'arn:AWS::Partition:iam::AWS::AccountId:role/cdk-hnb659fds';
      const ofRegion = 'AWS::Region:AWS::AccountId';
      expect(rights).toEqual([
        `sts:AssumeRole on ${bootstrap}-deploy-role-AWS::AccountId-AWS::Region, ${bootstrap}-file-publishing-role-AWS::AccountId-AWS::Region`,
        `cloudformation:DescribeStacks on arn:AWS::Partition:cloudformation:${ofRegion}:stack/${stack}/*`,
        `dynamodb:DeleteItem, dynamodb:PutItem on arn:AWS::Partition:dynamodb:${ofRegion}:table/${stack}-Tokens*`,
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
    expect(JSON.stringify(roleOf(shared, 'prod'))).toContain(`:oidc-provider/${HOST}`);
  });

  test('retains the provider and the roles if the stack or an environment is removed', () => {
    for (const { path, DeletionPolicy } of resourcesOf(standard.toJSON()))
      expect([path, DeletionPolicy]).toEqual([path, 'Retain']);
  });

  test('has the role for API Gateway’s logs unless a different stack has it', () => {
    standard.hasResourceProperties('AWS::ApiGateway::Account', {
      CloudWatchRoleArn: {
        'Fn::GetAtt': [Match.stringLikeRegexp('^ApiGatewayLogRole'), 'Arn'],
      },
    });
    const roles = standard.findResources('AWS::IAM::Role');
    expect(JSON.stringify(roles)).toContain('service-role/AmazonAPIGatewayPushToCloudWatchLogs');
    shared.resourceCountIs('AWS::ApiGateway::Account', 0);
  });

  test.each([
    [{}, /^repository must be OWNER\/NAME/],
    [{ ...valid, repository: 'octo' }, /^repository must be/],
    [{ ...valid, repository: 'octo/*' }, /^repository must be/],
    [{ ...valid, repository: 'octo/plants@34' }, /^repository must be/],
    [{ repository: 'octo/plants' }, /^environments must be names separated by commas/],
    [{ ...valid, environments: 'pr,*' }, /^environments must be/],
    [{ ...valid, oidcProvider: 'import' }, /^oidcProvider must be new or existing/],
    [
      { ...valid, oidcprovider: 'existing' },
      /^unknown option oidcprovider \(.*expected one of repository, environments, oidcProvider, apiGatewayLogRole.*continuous-deployment/,
    ],
    [
      { ...valid, apiGatewayLogRole: 'keep' },
      /^apiGatewayLogRole must be set or leave, got "keep"/,
    ],
  ])('rejects the options %j', (options: Record<string, string>, message) => {
    expect(() => addRoles(appOf(options))).toThrow(message);
  });

  test('accepts a cdk.json that contains options for one stage and for all stages', () => {
    const shared = { prod: { alarmEmail: 'ops@example.com' }, tags: 'team=plants' };
    const { node } = appOf({ ...valid, ...shared, apiGatewayLogRole: 'set' });
    expect(rolesOptions(node)).toMatchObject({ setsLogRole: true });
  });
});

test('cdk-nag and CloudFormation’s rules report nothing about the stack for deployments from GitHub', () => {
  const app = appOf(valid, true);
  addRoles(app);
  expect(checked(app).violations).toEqual([]);
});

test('docs/continuous-deployment.md lists the options', () => {
  const listed = tableRows('docs/continuous-deployment.md').flatMap(({ option }) => option ?? []);
  expect(listed.sort()).toEqual([
    '`apiGatewayLogRole=leave`',
    '`environments`',
    '`oidcProvider=existing`',
    '`repository`',
  ]);
});

test('the commands of npm run deploy:github in the pages have only valid options', () => {
  const found = scripts.filter(({ code }) => code.includes('deploy:github'));
  const commands = found.flatMap((script) => runWithStubs(script).commands);
  const contexts = commands
    .filter(({ args }) => args.includes('deploy:github'))
    .map(({ args }) => contextIn(args));
  expect(contexts).not.toEqual([]);
  for (const context of contexts) expect(() => rolesOptions(appOf(context).node)).not.toThrow();
});
