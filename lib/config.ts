import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Node } from 'constructs';
import type { StageName } from './names.ts';
import { type OidcProvider, OptionError, type Rollout, readOptions } from './options.ts';

/** How a stage of the service is deployed. */
export interface StageConfig {
  readonly stage: StageName;
  /** Whether tables and logs are kept or deleted when they leave the template, or with the stack. */
  readonly removalPolicy: RemovalPolicy;
  /** Protects the tables and the stack against deletion. */
  readonly deletionProtection: boolean;
  readonly logRetention: RetentionDays;
  /** API Gateway's throttling: requests per second, and the burst above that rate. */
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
}

const COMMON_DEFAULTS = {
  throttle: { rate: 10_000, burst: 5_000 },
  authorizerCacheTtl: Duration.minutes(1),
  // About $230 a month.
  expectedRequestsPerMinute: 1_000,
};

const STAGE_DEFAULTS: Record<StageName, Omit<StageConfig, 'stage' | keyof typeof COMMON_DEFAULTS>> = {
  dev: {
    removalPolicy: RemovalPolicy.DESTROY,
    deletionProtection: false,
    logRetention: RetentionDays.ONE_WEEK,
    rollout: 'all-at-once',
    alarms: false,
  },
  prod: {
    removalPolicy: RemovalPolicy.RETAIN,
    deletionProtection: true,
    logRetention: RetentionDays.ONE_YEAR,
    rollout: 'canary',
    alarms: true,
  },
};

/**
 * The configuration that the CDK context selects, such as `cdk deploy -c stage=prod`; the default stage is dev.
 *
 * @throws OptionError if an option is unknown, invalid, or requires another
 */
export function stageConfig(node: Node): StageConfig {
  const { stage = 'dev', rollout, alarmEmail, oidc, authorizerCacheTtl } = readOptions(node);
  const defaults = { stage, ...COMMON_DEFAULTS, ...STAGE_DEFAULTS[stage] };
  if (!defaults.alarms && (rollout !== undefined || alarmEmail !== undefined)) {
    throw new OptionError(`rollout and alarmEmail are options of prod, not of ${stage}; add -c stage=prod`);
  }
  return {
    ...defaults,
    rollout: rollout ?? defaults.rollout,
    authorizerCacheTtl: authorizerCacheTtl ?? defaults.authorizerCacheTtl,
    alarmEmail,
    oidc,
  };
}
