import { GetCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import { read } from '../support/pages/code-blocks.ts';
import { ajv, dereference, openapi } from '../support/service/contract.ts';
import { type HttpResponse, writeExactly } from '../support/service/http.ts';
import type { Service } from '../support/service/service.ts';

export const CREATE_PLANT = { method: 'POST', path: '/plants' } as const;

/** The event that API Gateway sends for a NewPlant. docs/sam.md also uses it. */
export const createPlantEvent = JSON.parse(read('events/create-plant.json'));

/** Creates a plant from an object, or from a string that is sent as the body. */
export function createPlant({ send }: Service, newPlant: object | string): Promise<HttpResponse> {
  const body = typeof newPlant === 'string' ? newPlant : writeExactly(newPlant);
  return send({ ...CREATE_PLANT, body });
}

export async function storedPlant(
  { dynamodb, emulator }: Service,
  id: bigint,
): Promise<Record<string, unknown> | undefined> {
  const { PlantsTableName: TableName } = emulator.outputs;
  return (await dynamodb.send(new GetCommand({ TableName, Key: { id }, ConsistentRead: true })))
    .Item;
}

/** Returns every plant in the table, by its decimal id. */
export async function storedPlants({
  dynamodb,
  emulator,
}: Service): Promise<ReadonlyMap<string, Plant>> {
  const scan = { TableName: emulator.outputs.PlantsTableName, ConsistentRead: true };
  const plants = new Map<string, Plant>();
  for await (const { Items = [] } of paginateScan({ client: dynamodb }, scan)) {
    for (const item of Items) plants.set(`${item.id}`, plantOf(item));
  }
  return plants;
}

export interface Plant {
  readonly name: string;
  readonly tag?: string;
}

export function samePlant(a: Plant, b: Plant): boolean {
  const [fieldsOfA, fieldsOfB] = [a, b].map((plant) => writeExactly(Object.entries(plant).sort()));
  return fieldsOfA === fieldsOfB;
}

/** The plant in an item, without its id. @throws Error if the item has no name */
export function plantOf(item: Readonly<Record<string, unknown>>): Plant {
  const { id: _id, ...plant } = item;
  if (typeof plant.name !== 'string') throw new Error('an item has no name');
  return Object.assign({ name: plant.name }, plant);
}

const isNewPlant = ajv.compile({ $ref: 'openapi.json#/components/schemas/NewPlant' });

/** Whether openapi.json allows a body. The body's int64s can be bigints. */
export function isValidNewPlant(body: object): boolean {
  const rounded = Object.entries(body).map(([name, value]) => [
    name,
    typeof value === 'bigint' ? Number(value) : value,
  ]);
  return isNewPlant(Object.fromEntries(rounded));
}

const { NewPlant } = openapi.components.schemas;

const { examples } = openapi.paths['/plants'].post.requestBody.content['application/json'];

export const examplePlant: Readonly<Record<string, unknown>> = examples.tagged.value;

export const plantFields = Object.entries<{ $ref?: string; format?: string }>(NewPlant.properties)
  .filter(([name]) => name !== 'id')
  .map(([name, rules]) => ({
    name,
    required: Boolean(NewPlant.required.includes(name)),
    format: dereference(rules).format,
  }));
