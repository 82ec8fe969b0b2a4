import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { App } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { deploymentOptions } from '../../lib/github/deployment-options.ts';
import { GitHubDeploymentStack } from '../../lib/github/deployment-stack.ts';
import { addNagChecks } from '../../lib/nag.ts';
import type { Json } from '../support/template-resources.ts';

const { context: ofCdkJson } = JSON.parse(readFileSync(join(import.meta.dirname, '../../cdk.json'), 'utf8'));
const workflow = readFileSync(join(import.meta.dirname, '../../.github/workflows/deploy.yml'), 'utf8');
const outdir = mkdtempSync(join(tmpdir(), 'plant-store-github-'));
afterAll(() => rmSync(outdir, { recursive: true }));

const valid = { repository: 'octo/plants', environments: 'pr,staging,prod' };

const apps = new Map<string, ReturnType<typeof synthesize>>();

/** Synthesizes once for the same options. */
function synthesized(options: Record<string, string> = valid) {
  const key = JSON.stringify(options);
  const app = apps.get(key) ?? synthesize(options);
  apps.set(key, app);
  return app;
}

function synthesize(options: Record<string, string>) {
  const app = new App({
    context: { ...ofCdkJson, 'aws:cdk:enable-path-metadata': true, ...options },
    outdir: mkdtempSync(join(outdir, 'app-')),
  });
  addNagChecks(app);
  const stack = new GitHubDeploymentStack(app, 'PlantStoreGitHub', deploymentOptions(app.node));
  return { app, template: Template.fromStack(stack) };
}

/** The statements of each role's policy, by the subject that may assume it. */
function rolesOf(template: Template): Record<string, { trust: Json; statements: Json[] }> {
  const roles = Object.values(template.findResources('AWS::IAM::Role'));
  return Object.fromEntries(
    roles
      .filter(({ Properties: { Policies } }) => Policies)
      .map(({ Properties: { AssumeRolePolicyDocument, Policies } }) => {
        const [trust] = AssumeRolePolicyDocument.Statement;
        const subject = trust.Condition.StringEquals['token.actions.githubusercontent.com:sub'];
        const statements = Policies.flatMap(({ PolicyDocument }: Json) => PolicyDocument.Statement);
        return [subject, { trust, statements }];
      }),
  );
}

describe('the roles for GitHub', () => {
  test('are one for each environment, bound to the repository and to AWS as the audience', () => {
    const { template } = synthesized();
    const roles = rolesOf(template);
    expect(Object.keys(roles)).toEqual([
      'repo:octo/plants:environment:pr',
      'repo:octo/plants:environment:staging',
      'repo:octo/plants:environment:prod',
    ]);
    for (const [subject, { trust }] of Object.entries(roles)) {
      expect(trust).toEqual({
        Effect: 'Allow',
        Action: 'sts:AssumeRoleWithWebIdentity',
        Principal: { Federated: { Ref: expect.any(String) } },
        Condition: {
          StringEquals: {
            'token.actions.githubusercontent.com:aud': 'sts.amazonaws.com',
            'token.actions.githubusercontent.com:sub': subject,
          },
        },
      });
    }
    template.resourceCountIs('AWS::Lambda::Function', 0);
    for (const output of ['RoleArnpr', 'RoleArnstaging', 'RoleArnprod']) template.hasOutput(output, {});
  });

  test('can be assumed for as long as the longest job runs', () => {
    const { template } = synthesized({ ...valid, environments: 'prod' });
    const jobMinutes =
      workflow.match(/timeout-minutes: \d+/g)?.map((line) => Number(line.split(' ')[1])) ?? [];
    const [, seconds] = /role-duration-seconds: (\d+)/.exec(workflow) ?? [];
    template.hasResourceProperties('AWS::IAM::Role', { MaxSessionDuration: Number(seconds) });
    expect(Number(seconds)).toBeGreaterThanOrEqual(Math.max(...jobMinutes) * 60);
  });

  test('accept the subject with ids that GitHub uses for repositories created since July 2026', () => {
    const { template } = synthesized({ ...valid, repository: 'octo@12/plants@34', environments: 'prod' });
    expect(Object.keys(rolesOf(template))).toEqual(['repo:octo@12/plants@34:environment:prod']);
  });

  test.each([
    ['pr', 'PlantStore-pr-*'],
    ['staging', 'PlantStore-staging'],
  ])('deploy only by roles of cdk bootstrap: environment %s', (environment, stack) => {
    const { statements } =
      rolesOf(synthesized().template)[`repo:octo/plants:environment:${environment}`] ?? {};
    const allowed = (statements ?? []).map(({ Action, Resource }) => [
      Action,
      [Resource].flat().map((resource) => JSON.stringify(resource)),
    ]);
    expect(allowed.slice(0, 3)).toEqual([
      [
        'sts:AssumeRole',
        [
          expect.stringContaining(':role/cdk-hnb659fds-deploy-role-'),
          expect.stringContaining(':role/cdk-hnb659fds-file-publishing-role-'),
        ],
      ],
      ['cloudformation:DescribeStacks', [expect.stringContaining(`:stack/${stack}/*`)]],
      [['dynamodb:DeleteItem', 'dynamodb:PutItem'], [expect.stringContaining(`:table/${stack}-Tokens*`)]],
    ]);
    expect(allowed.slice(3)).toEqual(environment === 'pr' ? [['cloudformation:ListStacks', ['"*"']]] : []);
  });

  test('create the account’s provider, or import it', () => {
    synthesized().template.hasResourceProperties('AWS::IAM::OIDCProvider', {
      Url: 'https://token.actions.githubusercontent.com',
      ClientIdList: ['sts.amazonaws.com'],
      ThumbprintList: Match.absent(),
    });
    const { template } = synthesized({ ...valid, oidcProvider: 'existing' });
    template.resourceCountIs('AWS::IAM::OIDCProvider', 0);
    expect(JSON.stringify(rolesOf(template))).toContain(':oidc-provider/token.actions.githubusercontent.com');
  });

  test('come with the role of API Gateway for its logs, which is kept with the stack, unless somebody else owns it', () => {
    const { template } = synthesized();
    const [[roleId, role] = []] = Object.entries(
      template.findResources('AWS::IAM::Role', { Properties: { Policies: Match.absent() } }),
    );
    const [account] = Object.values(template.findResources('AWS::ApiGateway::Account'));
    expect(account).toMatchObject({
      Properties: { CloudWatchRoleArn: { 'Fn::GetAtt': [roleId, 'Arn'] } },
      DeletionPolicy: 'Retain',
    });
    expect(role).toMatchObject({ DeletionPolicy: 'Retain' });
    expect(JSON.stringify(role)).toContain('service-role/AmazonAPIGatewayPushToCloudWatchLogs');
    const { template: left } = synthesized({ ...valid, apiGatewayLogRole: 'leave' });
    left.resourceCountIs('AWS::ApiGateway::Account', 0);
    left.resourceCountIs('AWS::IAM::Role', 3);
  });

  test.each([{}, { oidcProvider: 'existing' }, { apiGatewayLogRole: 'leave' }])(
    'have no finding of cdk-nag that is not acknowledged, with %j',
    (options) => {
      const { directory } = synthesized({ ...valid, ...options }).app.synth();
      const { pluginReports } = JSON.parse(readFileSync(join(directory, 'validation-report.json'), 'utf8'));
      expect(pluginReports.map(({ pluginName }: Json) => pluginName)).toContain('AwsSolutions');
      expect(pluginReports.flatMap(({ violations }: Json) => violations)).toEqual([]);
    },
  );

  test.each([
    [{}, /^repository must be OWNER\/NAME/],
    [{ ...valid, repository: 'octo' }, /^repository must be/],
    [{ ...valid, repository: 'octo/*' }, /^repository must be/],
    [{ ...valid, repository: 'octo/plants@34' }, /^repository must be/],
    [{ repository: 'octo/plants' }, /^environments must be names separated by commas/],
    [{ ...valid, environments: 'pr,*' }, /^environments must be/],
    [{ ...valid, oidcProvider: 'import' }, /^oidcProvider must be "existing" or absent/],
    [{ ...valid, apiGatewayLogRole: 'set' }, /^apiGatewayLogRole must be "leave" or absent; got "set"/],
  ])('are not synthesized with the options %j', (options: Record<string, string>, message) => {
    expect(() => synthesized(options)).toThrow(message);
  });
});
