import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Node } from 'constructs';
import { PROTECTED_STAGE } from './names.ts';
import { DEFAULTS, OptionError, type Options, type ReadOption, readOptions } from './options.ts';

/** A domain name for the API, in place of its execute-api address. */
export interface CustomDomain {
  readonly name: string;
  /** A certificate for the name, in the region of the stack. */
  readonly certificateArn: string;
  /** The Route 53 hosted zone that gets the record. */
  readonly hostedZoneId: string | undefined;
}

/** The OpenID Connect provider whose tokens are accepted instead of the service's own access tokens. */
export interface OidcProvider {
  /** The `iss` claim of its tokens. */
  readonly issuer: string;
  /** The audience that the `aud` claim of a token must contain. */
  readonly audience: string;
  /** A scope that a token must grant. */
  readonly scope: string | undefined;
}

/** How a stage of the service is deployed. */
export interface StageConfig {
  readonly stage: string;
  /** Whether tables are kept or deleted when they leave the template, or with the stack. */
  readonly tableRemovalPolicy: RemovalPolicy;
  /** Likewise for logs and old versions of functions. */
  readonly removalPolicy: RemovalPolicy;
  /** Protects the tables and the stack against deletion. */
  readonly deletionProtection: boolean;
  readonly logRetention: RetentionDays;
  /** API Gateway's throttling of the stage: requests per second, and how many at once. */
  readonly throttle: { readonly rate: number; readonly burst: number };
  /** How long API Gateway caches the authorizer's result, and so how long a revoked token can still work. */
  readonly authorizerCacheTtl: Duration;
  /** If undefined, the service checks its own access tokens. */
  readonly oidc: OidcProvider | undefined;
  /** How a deployment shifts traffic to a new version: 10 % of the requests first, or all at once. */
  readonly rollout: Options['rollout'];
  /** Whether there are CloudWatch alarms. A canary requires them. */
  readonly alarms: boolean;
  /** The alarm on traffic is raised above this. */
  readonly expectedRequestsPerMinute: number;
  /** Subscribed to the alarms. */
  readonly alarmEmail: string | undefined;
  /** If undefined, clients use the execute-api address. */
  readonly domain: CustomDomain | undefined;
  /** A web ACL of AWS WAF that filters the requests. */
  readonly webAclArn: string | undefined;
  /** Whether the stack sets the role with which API Gateway writes all logs of the account, or leaves it. */
  readonly apiGatewayLogRole: Options['apiGatewayLogRole'];
  /** Of the stack, and so of every resource that can have tags. */
  readonly tags: Options['tags'];
}

const PROTECTED = {
  tableRemovalPolicy: RemovalPolicy.RETAIN,
  // Deletes what a deployment has created if it is rolled back. A version that was kept would block a second
  // deployment of the same code, because Lambda publishes no version twice.
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
 * @throws OptionError if an option is unknown, invalid, or requires another
 */
export function stageConfig(node: Node): StageConfig {
  const { stage, option } = readOptions(node);
  const profile = option('profile') ?? stage;
  const alarms = profile === PROTECTED_STAGE;
  const keepsData = option('data') === 'keep' || stage === PROTECTED_STAGE;
  const onlyWithAlarms = ['rollout', 'alarmEmail', 'expectedRequestsPerMinute'] as const;
  if (!alarms && onlyWithAlarms.some((name) => option(name) !== undefined)) {
    throw new OptionError(
      `rollout, alarmEmail and expectedRequestsPerMinute only apply to prod and with profile=prod, got stage ${stage}; add -c profile=prod, or move them to context.prod of cdk.json`,
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
  throw new OptionError('OpenID Connect requires both oidcIssuer and oidcAudience');
}

function customDomain(option: ReadOption): CustomDomain | undefined {
  const name = option('domainName');
  const certificateArn = option('certificateArn');
  const hostedZoneId = option('hostedZoneId');
  if (name !== undefined && certificateArn !== undefined) return { name, certificateArn, hostedZoneId };
  if (name === certificateArn && hostedZoneId === undefined) return undefined;
  throw new OptionError('a custom domain requires both domainName and certificateArn');
}
