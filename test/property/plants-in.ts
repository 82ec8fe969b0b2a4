import { ListTablesCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Plant } from './target.ts';

/** Every item of the plants table, by its id as the table writes it. */
export async function plantsIn(dynamodb: DynamoDBDocumentClient): Promise<Map<string, Plant>> {
  const plants = new Map<string, Plant>();
  const { TableNames = [] } = await dynamodb.send(new ListTablesCommand());
  const TableName = TableNames.find((name) => name.startsWith('Plants'));
  for (let start: ScanStart | undefined, first = true; first || start; first = false) {
    const page = await dynamodb.send(
      new ScanCommand({ TableName, ConsistentRead: true, ...(start && { ExclusiveStartKey: start }) }),
    );
    for (const { id, name, tag, ...rest } of page.Items ?? []) {
      if (id?.N === undefined || name?.S === undefined || Object.keys(rest).length > 0) {
        throw new Error(`an item of the plants table is none: ${JSON.stringify(id)}`);
      }
      plants.set(id.N, tag?.S === undefined ? { name: name.S } : { name: name.S, tag: tag.S });
    }
    start = page.LastEvaluatedKey;
  }
  return plants;
}

type ScanStart = NonNullable<ConstructorParameters<typeof ScanCommand>[0]['ExclusiveStartKey']>;
