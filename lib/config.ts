import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import type { Node } from 'constructs';
import { authorizerOptions, type OidcProvider } from './authorizer-options.ts';

/** What differs between the stages of the service. */
export interface StageConfig {
  readonly stage: 'dev' | 'prod';
  /** What becomes of tables and logs when the stack, or their place in it, is deleted. */
  readonly removalPolicy: RemovalPolicy;
  /** Whether a table refuses to be deleted, by anyone. */
  readonly deletionProtection: boolean;
  readonly logRetention: RetentionDays;
  /** Requests a second that API Gateway lets through, and how many at once above that. */
  readonly throttle: { readonly rate: number; readonly burst: number };
  /** How long API Gateway keeps the authorizer's answer: the longest time that a revoked token still works. */
  readonly authorizerCacheTtl: Duration;
  /** Absent: the service checks access tokens of its own. */
  readonly oidc?: OidcProvider;
}

const STAGES: Record<StageConfig['stage'], StageConfig> = {
  dev: {
    stage: 'dev',
    removalPolicy: RemovalPolicy.DESTROY,
    deletionProtection: false,
    logRetention: RetentionDays.ONE_WEEK,
    throttle: { rate: 10_000, burst: 5_000 },
    authorizerCacheTtl: Duration.minutes(1),
  },
  prod: {
    stage: 'prod',
    removalPolicy: RemovalPolicy.RETAIN,
    deletionProtection: true,
    logRetention: RetentionDays.ONE_YEAR,
    throttle: { rate: 10_000, burst: 5_000 },
    authorizerCacheTtl: Duration.minutes(1),
  },
};

/**
 * The configuration that the CDK context asks for: `cdk deploy -c stage=prod`; dev where it doesn't say.
 *
 * @throws where the stage is none of ours, or an option of the authorizer is malformed
 */
export function stageConfig(node: Node): StageConfig {
  const stage: unknown = node.tryGetContext('stage') ?? 'dev';
  if (stage !== 'dev' && stage !== 'prod') {
    throw new Error(`stage must be dev or prod, not ${JSON.stringify(stage)}: cdk deploy -c stage=prod`);
  }
  return { ...STAGES[stage], ...authorizerOptions(node) };
}
