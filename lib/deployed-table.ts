import { CfnGlobalTable, TableEncryptionV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { StageConfig } from './config.ts';
import { resourceOf } from './resource-of.ts';
import type { Table } from './tables.ts';

export interface DeployedTable extends Table {
  readonly tableName: string;
  /** Lets a function run these DynamoDB actions. */
  readonly grant: (user: IFunction, actions: readonly string[]) => void;
}

export function deployTable(scope: Construct, spec: Table, config: StageConfig): DeployedTable {
  const { name, id, variable, output, ...key } = spec;
  const { tableRemovalPolicy: removalPolicy, deletionProtection, kmsKeyArn } = config;
  const table = new TableV2(scope, id, {
    ...key,
    encryption: TableEncryptionV2.awsManagedKey(),
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    removalPolicy,
    deletionProtection,
  });
  if (kmsKeyArn !== undefined) {
    // `TableEncryptionV2.customerManagedKey` requires a stack with a Region.
    const property = 'Replicas.0.SSESpecification.KMSMasterKeyId';
    resourceOf(table, CfnGlobalTable).addPropertyOverride(property, kmsKeyArn);
  }
  const grant: DeployedTable['grant'] = (user, actions) => {
    table.grant(user, ...actions);
    if (kmsKeyArn !== undefined) user.addToRolePolicy(useOfKey(kmsKeyArn, table.env.region));
  };
  return { ...spec, tableName: table.tableName, grant };
}

/** DynamoDB uses a table's key on behalf of the function, which cannot use the key in any other way. */
function useOfKey(kmsKeyArn: string, region: string): PolicyStatement {
  return new PolicyStatement({
    // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/encryption.usagenotes.html
    actions: [
      'kms:Decrypt',
      'kms:DescribeKey',
      'kms:Encrypt',
      'kms:GenerateDataKey',
      'kms:GenerateDataKeyWithoutPlaintext',
      'kms:ReEncryptFrom',
      'kms:ReEncryptTo',
    ],
    resources: [kmsKeyArn],
    conditions: { StringEquals: { 'kms:ViaService': `dynamodb.${region}.amazonaws.com` } },
  });
}
