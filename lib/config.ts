import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Node } from 'constructs';
import { PROD } from './names.ts';
import { type Options, readOptions } from './options.ts';
import { SetupError } from './setup-error.ts';

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
  readonly logAndVersionRemovalPolicy: RemovalPolicy;
  /** Protects the tables and the stack against deletion. */
  readonly deletionProtection: boolean;
  readonly logRetention: RetentionDays;
  /** The KMS key that encrypts the tables; if undefined, AWS manages the key. */
  readonly kmsKeyArn: string | undefined;
  /** Requests per second; bursts may be twice this. The default bounds the bill to about $50 a day. */
  readonly throttleRate: number;
  /** How long API Gateway caches the authorizer's result, and therefore how long a revoked token can still work. */
  readonly authorizerCacheTtl: Duration;
  /** If undefined, the service checks its own access tokens. */
  readonly oidc: OidcProvider | undefined;
  /** How a deployment shifts traffic to a new version: 10% of the requests first, or all at once. */
  readonly rollout: Options['rollout'];
  /** Whether the stage has CloudWatch alarms. A canary deployment requires alarms. */
  readonly alarms: boolean;
  /** More requests raise the alarm UnexpectedTraffic. */
  readonly expectedRequestsPerMinute: number;
  readonly alarmEmail: string | undefined;
  /** The address of this repository, to which alarms link. */
  readonly repositoryUrl: string | undefined;
  /** If undefined, clients use the execute-api address. */
  readonly domain: CustomDomain | undefined;
  readonly webAclArn: string | undefined;
  /** How many requests from each source address, and with each token, AWS WAF accepts in a minute. */
  readonly addressRequestsPerMinute: number | undefined;
  readonly clientRequestsPerMinute: number | undefined;
  /** Whether the stack sets the role that API Gateway uses to write all logs in the account, or leaves it unchanged. */
  readonly apiGatewayLogRole: Options['apiGatewayLogRole'];
  /** Tags for the stack and every resource that supports tags. */
  readonly tags: Options['tags'];
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

/** Options that require alarms. */
const ONLY_WITH_ALARMS = ['rollout', 'alarmEmail', 'expectedRequestsPerMinute'] as const;

/** Options that are useless alone: those in `all` require each other, and the optional one requires them. */
const SET_TOGETHER = [
  { all: ['oidcIssuer', 'oidcAudience'], optional: 'oidcScope' },
  { all: ['domainName', 'certificateArn'], optional: 'hostedZoneId' },
] as const;

/** Options that create a web ACL; a stage can have only one. */
const INSTEAD_OF_WEB_ACL = ['addressRequestsPerMinute', 'clientRequestsPerMinute'] as const;

/**
 * The configuration of the stage that `-c stage=NAME` selects; the default stage is dev.
 *
 * @throws SetupError if an option is unknown or invalid, or does not fit the other options
 */
export function stageConfig(node: Node): StageConfig {
  const { stage, option } = readOptions(node);
  const isSet = (name: keyof Options) => option(name) !== undefined;
  const alarms = option('profile') === 'prod' || stage === PROD;
  const useless = alarms ? [] : ONLY_WITH_ALARMS.filter(isSet);
  assertComplete(
    useless,
    [`the stage prod or profile=prod (got stage ${stage})`],
    'add -c profile=prod, or move them to context.prod in cdk.json',
  );
  for (const { all, optional } of SET_TOGETHER) {
    const set = [...all, optional].filter(isSet);
    const missing = all.filter((name) => !isSet(name));
    assertComplete(
      set,
      missing,
      `set ${missing.join(' and ')} too, or remove ${set.join(' and ')}`,
    );
  }
  const limits = INSTEAD_OF_WEB_ACL.filter(isSet);
  if (isSet('webAclArn') && limits.length > 0) {
    const advice =
      'remove webAclArn, or copy the rules into that web ACL (docs/options.md#limit-each-client)';
    throw new SetupError(`${limits.join(' and ')} cannot be set with webAclArn; ${advice}`);
  }
  const [issuer, audience] = [option('oidcIssuer'), option('oidcAudience')];
  const [name, certificateArn] = [option('domainName'), option('certificateArn')];
  return {
    ...(option('data') === 'keep' || stage === PROD ? PROTECTED : DISPOSABLE),
    stage,
    alarms,
    rollout: option('rollout') ?? (alarms ? 'canary' : 'all-at-once'),
    alarmEmail: option('alarmEmail'),
    repositoryUrl: option('repositoryUrl'),
    expectedRequestsPerMinute: option('expectedRequestsPerMinute') ?? 1_000,
    kmsKeyArn: option('kmsKeyArn'),
    throttleRate: option('throttleRate') ?? 100,
    authorizerCacheTtl: Duration.seconds(option('authorizerCacheSeconds') ?? 60),
    oidc: issuer && audience ? { issuer, audience, scope: option('oidcScope') } : undefined,
    domain:
      name && certificateArn
        ? { name, certificateArn, hostedZoneId: option('hostedZoneId') }
        : undefined,
    webAclArn: option('webAclArn'),
    addressRequestsPerMinute: option('addressRequestsPerMinute'),
    clientRequestsPerMinute: option('clientRequestsPerMinute'),
    apiGatewayLogRole: option('apiGatewayLogRole') ?? 'set',
    tags: option('tags') ?? {},
  };
}

/** @throws SetupError if options are set, but not what they require */
function assertComplete(set: readonly string[], missing: readonly string[], cure: string): void {
  if (set.length === 0 || missing.length === 0) return;
  throw new SetupError(
    `${set.join(' and ')} cannot be set without ${missing.join(' and ')}; ${cure}`,
  );
}
