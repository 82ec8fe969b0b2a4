import { RemovalPolicy } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Node } from 'constructs';
import { hasAlarms, type Options } from './options/options.ts';
import { readOptions } from './options/read-options.ts';
import { PROD } from './stage-names.ts';

/** A domain name that replaces the API's execute-api address. */
export interface CustomDomain {
  readonly name: string;
  readonly certificateArn: string;
  readonly hostedZoneId: string | undefined;
}

/** The OpenID Connect provider whose tokens are accepted instead of the service's own access tokens. */
export interface OidcProvider {
  readonly issuer: string;
  readonly audience: string;
  readonly scope: string | undefined;
}

/** How a stage of the service is deployed: its options, and what follows from them. */
export interface StageConfig extends Options {
  /** Whether a table is kept or deleted when its stack is deleted or the table is removed from the template. */
  readonly tableRemovalPolicy: RemovalPolicy;
  readonly logAndVersionRemovalPolicy: RemovalPolicy;
  readonly deletionProtection: boolean;
  readonly logRetention: RetentionDays;
  readonly oidc: OidcProvider | undefined;
  /** Whether the stage has alarms and gradual deployments. */
  readonly hasAlarms: boolean;
  readonly domain: CustomDomain | undefined;
}

const PROTECTED = {
  tableRemovalPolicy: RemovalPolicy.RETAIN,
  // With this policy, a deployment that is rolled back deletes the function versions that it created. If they were
  // kept, the same code could not be deployed again, because Lambda never publishes the same code twice in a row.
  logAndVersionRemovalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
  deletionProtection: true,
  logRetention: RetentionDays.ONE_YEAR,
};

const DISPOSABLE = {
  tableRemovalPolicy: RemovalPolicy.DESTROY,
  logAndVersionRemovalPolicy: RemovalPolicy.DESTROY,
  deletionProtection: false,
  logRetention: RetentionDays.ONE_WEEK,
};

/** The configuration of the stage that `-c stage=NAME` selects. @throws UserError as `readOptions` does */
export function stageConfig(node: Node): StageConfig {
  const options = readOptions(node);
  const { stage, profile, data } = options;
  const { oidcIssuer: issuer, oidcAudience: audience, oidcScope: scope } = options;
  const { domainName: name, certificateArn, hostedZoneId } = options;
  return {
    ...options,
    ...(data === 'keep' || stage === PROD ? PROTECTED : DISPOSABLE),
    hasAlarms: hasAlarms(stage, profile),
    oidc: issuer && audience ? { issuer, audience, scope } : undefined,
    domain: name && certificateArn ? { name, certificateArn, hostedZoneId } : undefined,
  };
}
