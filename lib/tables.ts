import { AttributeType, TableEncryptionV2, type TablePropsV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { EXPIRES_AT } from '../lambda/shared/tokens/access-token.ts';
import type { StageConfig } from './config.ts';

/** The plants, keyed by id. */
export function createPlantsTable(scope: Construct, id: string, config: StageConfig): TableV2 {
  return new TableV2(scope, id, {
    partitionKey: { name: 'id', type: AttributeType.NUMBER },
    ...common(config),
  });
}

/** The access tokens, keyed by their public id. Stores hashes only; DynamoDB deletes expired tokens. */
export function createTokensTable(scope: Construct, id: string, config: StageConfig): TableV2 {
  return new TableV2(scope, id, {
    partitionKey: { name: 'id', type: AttributeType.STRING },
    timeToLiveAttribute: EXPIRES_AT,
    ...common(config),
  });
}

function common({ tableRemovalPolicy, deletionProtection }: StageConfig) {
  return {
    encryption: TableEncryptionV2.awsManagedKey(),
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    removalPolicy: tableRemovalPolicy,
    deletionProtection,
  } satisfies Partial<TablePropsV2>;
}
