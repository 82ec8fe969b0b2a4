import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Node } from 'constructs';
import { PROTECTED_STAGE } from './names.ts';
import {
  type ApiGatewayLogRole,
  type CustomDomain,
  type OidcProvider,
  OptionError,
  type Rollout,
  readOptions,
} from './options.ts';

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
  readonly oidc?: OidcProvider | undefined;
  readonly rollout: Rollout;
  /** Whether there are CloudWatch alarms. A canary requires them. */
  readonly alarms: boolean;
  /** The alarm on traffic is raised above this. */
  readonly expectedRequestsPerMinute: number;
  /** Subscribed to the alarms. */
  readonly alarmEmail?: string | undefined;
  /** If undefined, clients use the execute-api address. */
  readonly domain?: CustomDomain | undefined;
  /** A web ACL of AWS WAF that filters the requests. */
  readonly webAclArn?: string | undefined;
  readonly apiGatewayLogRole: ApiGatewayLogRole;
}

/** Requests a second. A client in an endless loop costs at most about $46 a day. */
const THROTTLE_RATE = 100;

const COMMON_DEFAULTS = {
  authorizerCacheTtl: Duration.minutes(1),
  // About $230 a month.
  expectedRequestsPerMinute: 1_000,
  apiGatewayLogRole: 'set',
} as const;

type StageDefaults = Omit<StageConfig, 'stage' | 'throttle' | keyof typeof COMMON_DEFAULTS>;

const PROTECTED: StageDefaults = {
  tableRemovalPolicy: RemovalPolicy.RETAIN,
  // Deletes what a deployment has created if it is rolled back. A version that was kept would block a second
  // deployment of the same code, because Lambda publishes no version twice.
  removalPolicy: RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE,
  deletionProtection: true,
  logRetention: RetentionDays.ONE_YEAR,
  rollout: 'canary',
  alarms: true,
};

const DISPOSABLE: StageDefaults = {
  tableRemovalPolicy: RemovalPolicy.DESTROY,
  removalPolicy: RemovalPolicy.DESTROY,
  deletionProtection: false,
  logRetention: RetentionDays.ONE_WEEK,
  rollout: 'all-at-once',
  alarms: false,
};

/**
 * The configuration of the stage that `-c stage=NAME` selects; the default stage is dev.
 *
 * @throws OptionError if an option is unknown, invalid, or requires another
 */
export function stageConfig(node: Node): StageConfig {
  const {
    throttleRate: rate = THROTTLE_RATE,
    throttleBurst: burst = 2 * rate,
    ...options
  } = readOptions(node);
  const { stage, rollout, alarmEmail, expectedRequestsPerMinute } = options;
  const defaults = { ...COMMON_DEFAULTS, ...(stage === PROTECTED_STAGE ? PROTECTED : DISPOSABLE) };
  const ofProd = [rollout, alarmEmail, expectedRequestsPerMinute];
  if (!defaults.alarms && ofProd.some((value) => value !== undefined)) {
    throw new OptionError(
      `rollout, alarmEmail and expectedRequestsPerMinute are options of prod, not of ${stage}; add -c stage=prod, or move them to context.prod of cdk.json`,
    );
  }
  return {
    ...defaults,
    ...options,
    rollout: rollout ?? defaults.rollout,
    throttle: { rate, burst },
    authorizerCacheTtl: options.authorizerCacheTtl ?? defaults.authorizerCacheTtl,
    expectedRequestsPerMinute: expectedRequestsPerMinute ?? defaults.expectedRequestsPerMinute,
    apiGatewayLogRole: options.apiGatewayLogRole ?? defaults.apiGatewayLogRole,
  };
}
