import type { Json, Resource } from '../support/template-resources.ts';

/** The properties that CloudFormation cannot change without replacing a table, and those that protect it. */
export interface StatefulResource {
  readonly logicalId: string;
  readonly type: string;
  readonly tableName: string | null;
  readonly key: readonly string[];
  readonly deletionPolicy: string;
  readonly updateReplacePolicy: string;
  readonly deletionProtected: boolean;
}

const TABLES = ['AWS::DynamoDB::GlobalTable', 'AWS::DynamoDB::Table'];

export function statefulResources(resources: readonly Resource[]): StatefulResource[] {
  return resources
    .filter(({ Type }) => TABLES.includes(Type))
    .map(({ logicalId, Type, Properties, DeletionPolicy = 'Delete', UpdateReplacePolicy = 'Delete' }) => ({
      logicalId,
      type: Type,
      tableName: Properties.TableName ?? null,
      key: Properties.KeySchema.map(({ AttributeName, KeyType }: Json) =>
        [AttributeName, KeyType, attributeType(Properties, AttributeName)].join(' '),
      ),
      deletionPolicy: DeletionPolicy,
      updateReplacePolicy: UpdateReplacePolicy,
      deletionProtected: isProtected(Properties),
    }));
}

/** How a deployment would affect the recorded tables: sentences that name the resource. */
export function destructiveChanges(
  recorded: readonly StatefulResource[],
  resources: readonly Resource[],
): string[] {
  const current = new Map(statefulResources(resources).map((resource) => [resource.logicalId, resource]));
  const known = new Set(recorded.map(({ logicalId }) => logicalId));
  return [
    ...recorded.flatMap((before) => {
      const after = current.get(before.logicalId);
      return after === undefined
        ? [`${before.logicalId} would be dropped: it is no longer in the template`]
        : differences(before, after);
    }),
    ...[...current.keys()].filter((id) => !known.has(id)).map((id) => `${id} is not in the record`),
  ];
}

function differences(before: StatefulResource, after: StatefulResource): string[] {
  const changed = (field: keyof StatefulResource) => `${before[field]}` !== `${after[field]}`;
  const change = (field: keyof StatefulResource) => `${field} from ${before[field]} to ${after[field]}`;
  const replacing = (['type', 'tableName', 'key'] as const).filter(changed);
  const unprotecting = (['deletionPolicy', 'updateReplacePolicy', 'deletionProtected'] as const).filter(
    changed,
  );
  return [
    ...replacing.map((field) => `${before.logicalId} would be replaced: ${change(field)}`),
    ...unprotecting.map((field) => `${before.logicalId} would have other protection: ${change(field)}`),
  ];
}

function attributeType({ AttributeDefinitions }: Json, name: string): string {
  return AttributeDefinitions.find(({ AttributeName }: Json) => AttributeName === name).AttributeType;
}

function isProtected({ DeletionProtectionEnabled, Replicas = [{}] }: Json): boolean {
  return (
    DeletionProtectionEnabled === true ||
    Replicas.every((replica: Json) => replica.DeletionProtectionEnabled === true)
  );
}
