import { AttributeType, TableEncryptionV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import type { StageConfig } from '../config.ts';

/** The plants, keyed on their id. */
export class PlantsTable extends TableV2 {
  constructor(scope: Construct, id: string, { removalPolicy, deletionProtection }: StageConfig) {
    super(scope, id, {
      partitionKey: { name: 'id', type: AttributeType.NUMBER },
      encryption: TableEncryptionV2.awsManagedKey(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      removalPolicy,
      deletionProtection,
    });
  }
}
