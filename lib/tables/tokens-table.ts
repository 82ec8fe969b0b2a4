import { AttributeType, TableEncryptionV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { EXPIRES_AT } from '../../lambda/shared/tokens/token-record.ts';
import type { StageConfig } from '../config.ts';

/** The access tokens, keyed on their public id: hashes only. Expired ones disappear. */
export class TokensTable extends TableV2 {
  constructor(scope: Construct, id: string, { removalPolicy, deletionProtection }: StageConfig) {
    super(scope, id, {
      partitionKey: { name: 'id', type: AttributeType.STRING },
      timeToLiveAttribute: EXPIRES_AT,
      encryption: TableEncryptionV2.awsManagedKey(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      removalPolicy,
      deletionProtection,
    });
  }
}
