import { ListTablesCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type Plant, plantOf } from './target.ts';

/** Every plant in the table, by its decimal id. */
export async function plantsIn(dynamodb: DynamoDBDocumentClient): Promise<Map<string, Plant>> {
  const plants = new Map<string, Plant>();
  const { TableNames = [] } = await dynamodb.send(new ListTablesCommand());
  const TableName = TableNames.find((name) => name.startsWith('Plants'));
  for (let start: ScanStart | undefined, first = true; first || start; first = false) {
    const page = await dynamodb.send(
      new ScanCommand({ TableName, ConsistentRead: true, ...(start && { ExclusiveStartKey: start }) }),
    );
    for (const { id, ...fields } of page.Items ?? []) {
      const strings = Object.entries(fields).map(([field, { S }]) => [field, S] as const);
      if (id?.N === undefined || strings.some(([, value]) => value === undefined)) {
        throw new Error(`an item of the plants table is not a plant: ${JSON.stringify(id)}`);
      }
      plants.set(id.N, plantOf(Object.fromEntries(strings)));
    }
    start = page.LastEvaluatedKey;
  }
  return plants;
}

type ScanStart = NonNullable<ConstructorParameters<typeof ScanCommand>[0]['ExclusiveStartKey']>;
