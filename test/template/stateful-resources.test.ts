import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { type Json, ofType, type Resource, stackResources } from '../support/template-resources.ts';

/** The deployed tables. To change or delete a table on purpose, edit the JSON file, and have the edit reviewed. */
const record: Record<string, StatefulResource[]> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'stateful-resources.json'), 'utf8'),
);

test.each(['dev', 'prod'])(
  'deploying %s does not replace, delete or unprotect a table that is in stateful-resources.json',
  (stage) => {
    const deployed = record[stage] ?? [];
    const names = deployed.map(({ logicalId }) => logicalId);
    const resources = statefulResources(stackResources({ stage }));
    expect(resources.filter(({ logicalId }) => names.includes(logicalId))).toEqual(deployed);
  },
);

/** The properties that CloudFormation cannot change without replacing a table, and the properties that protect it. */
interface StatefulResource {
  readonly logicalId: string;
  readonly type: string;
  readonly tableName: string | null;
  readonly key: readonly string[];
  readonly deletionPolicy: string;
  readonly updateReplacePolicy: string;
  readonly deletionProtected: boolean;
}

function statefulResources(resources: readonly Resource[]): StatefulResource[] {
  return [
    ...ofType(resources, 'AWS::DynamoDB::GlobalTable'),
    ...ofType(resources, 'AWS::DynamoDB::Table'),
  ].map(({ logicalId, Type, Properties, DeletionPolicy = 'Delete', UpdateReplacePolicy = 'Delete' }) => ({
    logicalId,
    type: Type,
    tableName: Properties.TableName ?? null,
    key: Properties.KeySchema.map(({ AttributeName, KeyType }: Json) =>
      [AttributeName, KeyType, attributeType(Properties, AttributeName)].join(' '),
    ),
    deletionPolicy: DeletionPolicy,
    updateReplacePolicy: UpdateReplacePolicy,
    deletionProtected: (Properties.Replicas ?? [Properties]).every(
      (replica: Json) => replica.DeletionProtectionEnabled,
    ),
  }));
}

function attributeType({ AttributeDefinitions }: Json, name: string): string {
  return AttributeDefinitions.find(({ AttributeName }: Json) => AttributeName === name).AttributeType;
}
