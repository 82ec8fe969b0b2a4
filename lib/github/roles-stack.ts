import { CfnOutput, DefaultStackSynthesizer, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { CfnAccount } from 'aws-cdk-lib/aws-apigateway';
import {
  ManagedPolicy,
  OidcProviderNative,
  PolicyDocument,
  PolicyStatement,
  Role,
  ServicePrincipal,
  WebIdentityPrincipal,
} from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import { acknowledge, acknowledgeLogPolicy, LOG_POLICY } from '../nag.ts';
import { PULL_REQUEST_PREFIX, stackName } from '../stage-names.ts';
import type { RolesOptions } from './roles-options.ts';

const ISSUER = 'token.actions.githubusercontent.com';
const AUDIENCE = 'sts.amazonaws.com';

/** The environment whose jobs deploy and delete a stage for each pull request. */
const PULL_REQUEST_ENVIRONMENT = 'pr';

/**
 * Contains one role for each GitHub environment. The repository's jobs in that environment can assume the role without
 * a stored key. Also contains the role that API Gateway uses to write logs: otherwise, each pull request's stage would
 * leave such a role behind.
 *
 * A deployment with different options deletes nothing: other repositories may use the provider, and jobs may use a role.
 *
 * A role can deploy only by assuming the roles that `cdk bootstrap` created. Its other permissions are for the
 * conformance command, which issues and revokes an access token. With one role for all jobs, any branch could
 * deploy prod.
 */
export class GitHubRolesStack extends Stack {
  constructor(scope: Construct, id: string, props: RolesOptions) {
    const { repository, environments, importsProvider, setsLogRole } = props;
    super(scope, id, {
      description: `Plant Store: roles for deployments from ${repository}`,
    });
    const providerArn = importsProvider
      ? this.iamArn('oidc-provider', ISSUER)
      : new OidcProviderNative(this, 'Provider', {
          url: `https://${ISSUER}`,
          clientIds: [AUDIENCE],
          removalPolicy: RemovalPolicy.RETAIN,
        }).oidcProviderArn;
    if (setsLogRole) this.setLogRole();
    for (const environment of environments) {
      const stack = stackName(
        environment === PULL_REQUEST_ENVIRONMENT ? `${PULL_REQUEST_PREFIX}*` : environment,
      );
      const role = new Role(this, `Role-${environment}`, {
        description: `For GitHub Actions jobs of ${repository} in the environment ${environment}`,
        // A job that deploys prod can run for 90 minutes.
        maxSessionDuration: Duration.hours(2),
        assumedBy: new WebIdentityPrincipal(providerArn, {
          StringEquals: {
            [`${ISSUER}:aud`]: AUDIENCE,
            // A job that does not use the environment has a different subject, such as its branch.
            [`${ISSUER}:sub`]: `repo:${repository}:environment:${environment}`,
          },
        }),
        inlinePolicies: { Deployment: new PolicyDocument({ statements: this.statements(stack) }) },
      });
      role.applyRemovalPolicy(RemovalPolicy.RETAIN);
      const ofThisRegion = '<AWS::Region>:<AWS::AccountId>';
      acknowledge(
        role,
        [
          `arn:<AWS::Partition>:cloudformation:${ofThisRegion}:stack/${stack}/*`,
          `arn:<AWS::Partition>:dynamodb:${ofThisRegion}:table/${stack}-Tokens*`,
        ].map((resource) => `AwsSolutions-IAM5[Resource::${resource}]`),
        'CloudFormation appends a generated id to the names of stacks and tables, and each pull request has its own stage.',
      );
      new CfnOutput(this, `RoleArn-${environment}`.replaceAll('-', ''), {
        value: role.roleArn,
        description: `The value for the variable AWS_ROLE_ARN in the GitHub environment ${environment}`,
      });
    }
  }

  /** Retains the role, because other APIs' logs need it. */
  private setLogRole(): void {
    const role = new Role(this, 'ApiGatewayLogRole', {
      assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
      managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName(LOG_POLICY)],
    });
    const account = new CfnAccount(this, 'ApiGatewayAccount', { cloudWatchRoleArn: role.roleArn });
    for (const resource of [role, account]) resource.applyRemovalPolicy(RemovalPolicy.RETAIN);
    acknowledgeLogPolicy(role);
  }

  private iamArn(resource: string, resourceName: string): string {
    return this.formatArn({ service: 'iam', region: '', resource, resourceName });
  }

  private statements(stack: string): PolicyStatement[] {
    const arn = (service: string, resource: string, resourceName: string) =>
      this.formatArn({ service, resource, resourceName });
    const { bootstrapQualifier = DefaultStackSynthesizer.DEFAULT_QUALIFIER } = this.synthesizer;
    const bootstrapRole = (name: string) =>
      this.iamArn('role', `cdk-${bootstrapQualifier}-${name}-${this.account}-${this.region}`);
    return [
      // Does not include the lookup role, which can read everything in the account, even what the tables store.
      // `cdk deploy` needs this role only to show a person what to approve.
      new PolicyStatement({
        actions: ['sts:AssumeRole'],
        resources: ['deploy-role', 'file-publishing-role'].map(bootstrapRole),
      }),
      new PolicyStatement({
        actions: ['cloudformation:DescribeStacks'],
        resources: [arn('cloudformation', 'stack', `${stack}/*`)],
      }),
      new PolicyStatement({
        actions: ['dynamodb:PutItem', 'dynamodb:DeleteItem'],
        resources: [arn('dynamodb', 'table', `${stack}-Tokens*`)],
      }),
    ];
  }
}
