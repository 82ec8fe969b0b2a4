import { GetCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import { writeExactly } from '../support/exact-json.ts';
import type { HttpResponse } from '../support/http.ts';
import type { Service } from '../support/service.ts';
import { type Plant, plantOf } from './target.ts';

/** The method and path of createPlant. */
export const CREATE_PLANT = { method: 'POST', path: '/plants' } as const;

/** Creates a plant from an object, or from a string that is sent as the body. */
export function createPlant({ send }: Service, newPlant: object | string): Promise<HttpResponse> {
  const body = typeof newPlant === 'string' ? newPlant : writeExactly(newPlant);
  return send({ ...CREATE_PLANT, body });
}

/** Returns the item in the plants table with this id. */
export async function storedPlant(
  { dynamodb, emulator }: Service,
  id: bigint,
): Promise<Record<string, unknown> | undefined> {
  const { PlantsTableName: TableName } = emulator.outputs;
  return (await dynamodb.send(new GetCommand({ TableName, Key: { id }, ConsistentRead: true }))).Item;
}

/** Returns every plant in the table, by its decimal id. */
export async function storedPlants({ dynamodb, emulator }: Service): Promise<ReadonlyMap<string, Plant>> {
  const scan = { TableName: emulator.outputs.PlantsTableName, ConsistentRead: true };
  const plants = new Map<string, Plant>();
  for await (const { Items = [] } of paginateScan({ client: dynamodb }, scan)) {
    for (const item of Items) plants.set(`${item.id}`, plantOf(item));
  }
  return plants;
}
