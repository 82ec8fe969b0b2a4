import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Node } from 'constructs';
import { PROTECTED_STAGE } from './names.ts';
import { DEFAULTS, OptionError, type Options, type ReadOption, readOptions } from './options.ts';

/** A domain name that replaces the API's execute-api address. */
export interface CustomDomain {
  readonly name: string;
  /** A certificate for the name, in the stack's region. */
  readonly certificateArn: string;
  /** The Route 53 hosted zone in which to create the DNS record. */
  readonly hostedZoneId: string | undefined;
}

/** The OpenID Connect provider whose tokens are accepted instead of the service's own access tokens. */
export interface OidcProvider {
  /** The `iss` claim of the provider's tokens. */
  readonly issuer: string;
  /** The audience that the `aud` claim of a token must contain. */
  readonly audience: string;
  /** The scope that a token must contain; undefined if no scope is required. */
  readonly scope: string | undefined;
}

/** How a stage of the service is deployed. */
export interface StageConfig {
  readonly stage: string;
  /** Whether a table is kept or deleted when its stack is deleted or the table is removed from the template. */
  readonly tableRemovalPolicy: RemovalPolicy;
  /** Whether logs and old function versions are kept or deleted. */
  readonly removalPolicy: RemovalPolicy;
  /** Protects the tables and the stack against deletion. */
  readonly deletionProtection: boolean;
  readonly logRetention: RetentionDays;
  /** API Gateway's throttle for the stage: requests per second, and requests in a burst. */
  readonly throttle: { readonly rate: number; readonly burst: number };
  /** How long API Gateway caches the authorizer's result, and therefore how long a revoked token can still work. */
  readonly authorizerCacheTtl: Duration;
  /** If undefined, the service checks its own access tokens. */
  readonly oidc: OidcProvider | undefined;
  /** How a deployment shifts traffic to a new version: 10% of the requests first, or all at once. */
  readonly rollout: Options['rollout'];
  /** Whether the stage has CloudWatch alarms. A canary deployment requires alarms. */
  readonly alarms: boolean;
  /** If there are more requests per minute than this, the alarm UnexpectedTraffic is raised. */
  readonly expectedRequestsPerMinute: number;
  /** The email address to which alarms are sent. */
  readonly alarmEmail: string | undefined;
  /** If undefined, clients use the execute-api address. */
  readonly domain: CustomDomain | undefined;
  /** An AWS WAF web ACL that filters the requests. */
  readonly webAclArn: string | undefined;
  /** Whether the stack sets the role that API Gateway uses to write all logs in the account, or leaves it unchanged. */
  readonly apiGatewayLogRole: Options['apiGatewayLogRole'];
  /** The stack's tags, which CloudFormation adds to every resource that supports tags. */
  readonly tags: Options['tags'];
}

const PROTECTED = {
  tableRemovalPolicy: RemovalPolicy.RETAIN,
  // With this policy, a deployment that is rolled back deletes the function versions that it created. If they were
  // kept, the same code could not be deployed again, because Lambda never publishes identical code twice.
  removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
  deletionProtection: true,
  logRetention: RetentionDays.ONE_YEAR,
};

const DISPOSABLE = {
  tableRemovalPolicy: RemovalPolicy.DESTROY,
  removalPolicy: RemovalPolicy.DESTROY,
  deletionProtection: false,
  logRetention: RetentionDays.ONE_WEEK,
};

/**
 * The configuration of the stage that `-c stage=NAME` selects; the default stage is dev.
 *
 * @throws OptionError if an option is unknown or invalid, or requires another option that is not set
 */
export function stageConfig(node: Node): StageConfig {
  const { stage, option } = readOptions(node);
  const profile = option('profile') ?? stage;
  const alarms = profile === PROTECTED_STAGE;
  const keepsData = option('data') === 'keep' || stage === PROTECTED_STAGE;
  const onlyWithAlarms = ['rollout', 'alarmEmail', 'expectedRequestsPerMinute'] as const;
  if (!alarms && onlyWithAlarms.some((name) => option(name) !== undefined)) {
    throw new OptionError(
      `rollout, alarmEmail and expectedRequestsPerMinute apply only to the stage prod and to stages with profile=prod, got stage ${stage}; add -c profile=prod, or move them to context.prod in cdk.json`,
    );
  }
  const rate = option('throttleRate') ?? DEFAULTS.throttleRate;
  const cacheSeconds = option('authorizerCacheSeconds') ?? DEFAULTS.authorizerCacheSeconds;
  return {
    ...(keepsData ? PROTECTED : DISPOSABLE),
    stage,
    alarms,
    rollout: option('rollout') ?? (alarms ? 'canary' : 'all-at-once'),
    alarmEmail: option('alarmEmail'),
    expectedRequestsPerMinute: option('expectedRequestsPerMinute') ?? DEFAULTS.expectedRequestsPerMinute,
    throttle: { rate, burst: option('throttleBurst') ?? DEFAULTS.throttleBurst(rate) },
    authorizerCacheTtl: Duration.seconds(cacheSeconds),
    oidc: oidcProvider(option),
    domain: customDomain(option),
    webAclArn: option('webAclArn'),
    apiGatewayLogRole: option('apiGatewayLogRole') ?? DEFAULTS.apiGatewayLogRole,
    tags: option('tags') ?? {},
  };
}

function oidcProvider(option: ReadOption): OidcProvider | undefined {
  const [issuer, audience, scope] = [option('oidcIssuer'), option('oidcAudience'), option('oidcScope')];
  if (issuer !== undefined && audience !== undefined) return { issuer, audience, scope };
  if (issuer === audience && scope === undefined) return undefined;
  throw incomplete('OpenID Connect', ['oidcIssuer', 'oidcAudience'], 'oidcScope', option);
}

function customDomain(option: ReadOption): CustomDomain | undefined {
  const name = option('domainName');
  const certificateArn = option('certificateArn');
  const hostedZoneId = option('hostedZoneId');
  if (name !== undefined && certificateArn !== undefined) return { name, certificateArn, hostedZoneId };
  if (name === certificateArn && hostedZoneId === undefined) return undefined;
  throw incomplete('a custom domain', ['domainName', 'certificateArn'], 'hostedZoneId', option);
}

function incomplete(
  feature: string,
  required: readonly (keyof Options)[],
  optional: keyof Options,
  option: ReadOption,
): OptionError {
  const set = [...required, optional].filter((name) => option(name) !== undefined);
  const missing = required.filter((name) => !set.includes(name));
  const got = set.join(' and ');
  return new OptionError(
    `${feature} requires both ${required.join(' and ')}, got only ${got}; set ${missing.join(' and ')} too, or remove ${got}`,
  );
}
