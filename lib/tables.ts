import {
  type Attribute,
  AttributeType,
  CfnGlobalTable,
  type GlobalSecondaryIndexPropsV2,
  TableEncryptionV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import { Grant, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { AuthorizeEnv, OperationEnv } from '../lambda/shared/env.ts';
import { EXPIRES_AT } from '../lambda/shared/tokens/access-token.ts';
import { resourceOf } from './resource-of.ts';
import type { StageConfig } from './stage-config.ts';

export interface TableSpec {
  /** The table's construct id. Changing the id replaces the table. */
  readonly id: string;
  /** The environment variable that gives operations the table's name. */
  readonly variable: keyof OperationEnv | keyof AuthorizeEnv;
  readonly partitionKey: Attribute;
  readonly timeToLiveAttribute?: string;
  /** Functions that use the table may use its indexes too. */
  readonly globalSecondaryIndexes?: readonly GlobalSecondaryIndexPropsV2[];
  /** Describes the output `{id}TableName`, by which a command finds the table. Without it, there is no such output. */
  readonly outputDescription?: string;
  /** With OpenID Connect, no command uses the table, so it has no output. */
  readonly replacedByOidc?: true;
}

export const tableSpecs = [
  {
    id: 'Plants',
    variable: 'PLANTS_TABLE',
    partitionKey: { name: 'id', type: AttributeType.NUMBER },
    outputDescription: 'The table that `npm run plants` lists',
  },
  {
    // Exists even with OpenID Connect, so that switching to a provider and back does not delete it.
    id: 'Tokens',
    variable: 'TOKENS_TABLE',
    partitionKey: { name: 'id', type: AttributeType.STRING },
    timeToLiveAttribute: EXPIRES_AT,
    outputDescription: 'The table in which `npm run token` stores access tokens',
    replacedByOidc: true,
  },
] as const satisfies readonly TableSpec[];

export type TableId = (typeof tableSpecs)[number]['id'];

export interface StackTable extends TableSpec {
  readonly tableName: string;
  /** Lets a function run these actions. */
  readonly grant: (grantee: IFunction, actions: readonly string[]) => void;
}

export function addTable(scope: Construct, spec: TableSpec, config: StageConfig): StackTable {
  const { globalSecondaryIndexes: indexes = [] } = spec;
  const { tableRemovalPolicy: removalPolicy, deletionProtection, kmsKeyArn } = config;
  const table = new TableV2(scope, spec.id, {
    ...spec,
    globalSecondaryIndexes: [...indexes],
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
  const grant: StackTable['grant'] = (grantee, actions) => {
    // Names each index, because cdk-nag rejects `index/*`, which `table.grant` would add.
    const indexArns = indexes.map(({ indexName }) => `${table.tableArn}/index/${indexName}`);
    const resourceArns = [table.tableArn, ...indexArns];
    Grant.addToPrincipal({ grantee, actions: [...actions], resourceArns });
    if (kmsKeyArn !== undefined) grantee.addToRolePolicy(useOfKey(kmsKeyArn, table.env.region));
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
