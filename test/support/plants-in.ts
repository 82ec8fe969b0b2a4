import { ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb';
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
    for (const item of page.Items ?? []) plants.set(String(item.id), plantOf(item));
    start = page.LastEvaluatedKey;
  }
  return plants;
}

type ScanStart = NonNullable<ConstructorParameters<typeof ScanCommand>[0]['ExclusiveStartKey']>;
