import type { OutgoingHttpHeaders } from 'node:http';
import { writeExactly } from '../support/exact-json.ts';
import type { ResponseBody } from '../support/http.ts';

/** What the property tests send requests to: the handler alone, or the whole service over HTTP. */
export interface Target {
  /**
   * Sends a body, with the media type `application/json` and a valid token unless `headers` is set.
   *
   * @throws Error if the response breaks the contract
   */
  create(body: Buffer, headers?: OutgoingHttpHeaders): Promise<PlantResponse>;
  /** Every plant in the table, by decimal id. */
  items(): Promise<ReadonlyMap<string, Plant>>;
  /** The plant in the table with this id. */
  stored(id: bigint): Promise<Plant | undefined>;
}

export interface PlantResponse {
  readonly status: number;
  readonly body: ResponseBody;
}

export interface Plant {
  readonly name: string;
  readonly tag?: string;
}

/** Whether two plants have the same fields with the same values. */
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
