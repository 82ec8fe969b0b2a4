import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Node } from 'constructs';
import { OptionError } from './option-error.ts';
import { type OidcProvider, type Rollout, readOptions } from './options.ts';
import type { StageName } from './stage-names.ts';

/** How a stage of the service is deployed. */
export interface StageConfig {
  readonly stage: StageName;
  /** What becomes of tables and logs when the stack, or their place in it, is deleted. */
  readonly removalPolicy: RemovalPolicy;
  /** Whether the tables and the stack refuse to be deleted, by anyone. */
  readonly deletionProtection: boolean;
  readonly logRetention: RetentionDays;
  /** Requests a second that API Gateway lets through, and how many at once above that. */
  readonly throttle: { readonly rate: number; readonly burst: number };
  /** How long API Gateway keeps the authorizer's answer: the longest time that a revoked token still works. */
  readonly authorizerCacheTtl: Duration;
  /** Absent: the service checks access tokens of its own. */
  readonly oidc?: OidcProvider | undefined;
  readonly rollout: Rollout;
  /** Whether CloudWatch alarms watch the stage. A canary needs them. */
  readonly alarms: boolean;
  /** Who hears of an alarm. */
  readonly alarmEmail?: string | undefined;
}

const EVERY_STAGE = {
  throttle: { rate: 10_000, burst: 5_000 },
  authorizerCacheTtl: Duration.minutes(1),
};

const STAGES: Record<StageName, Omit<StageConfig, 'stage' | keyof typeof EVERY_STAGE>> = {
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
 * The configuration that the CDK context asks for: `cdk deploy -c stage=prod`; dev where it doesn't say.
 *
 * @throws where an option is none of ours or has a value that it can't have
 */
export function stageConfig(node: Node): StageConfig {
  const { stage = 'dev', rollout, alarmEmail, oidc, authorizerCacheTtl } = readOptions(node);
  const defaults = { stage, ...EVERY_STAGE, ...STAGES[stage] };
  if (!defaults.alarms && (rollout !== undefined || alarmEmail !== undefined)) {
    throw new OptionError(`rollout and alarmEmail are options of prod, not of ${stage}: add -c stage=prod`);
  }
  return {
    ...defaults,
    rollout: rollout ?? defaults.rollout,
    authorizerCacheTtl: authorizerCacheTtl ?? defaults.authorizerCacheTtl,
    alarmEmail,
    oidc,
  };
}
