import type { OutgoingHttpHeaders } from 'node:http';

/** What the properties hold of: the handler alone, or the whole service over HTTP. */
export interface Target {
  /** As `application/json` unless there are `headers`, and with a good token unless they have one. Its answer keeps the contract. */
  create(body: Buffer, headers?: OutgoingHttpHeaders): Promise<Answer>;
  /** Everything in the plants table, by the decimal id. */
  items(): Promise<ReadonlyMap<string, Plant>>;
  /** One item of the plants table. */
  stored(id: bigint): Promise<Plant | undefined>;
}

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: whatever JSON was answered
  readonly body: any;
}

export interface Plant {
  readonly name: string;
  readonly tag?: string;
}

/** Whether two plants have the same fields with the same texts. */
export function samePlant(a: Plant, b: Plant): boolean {
  const [fieldsOfA, fieldsOfB] = [a, b].map((plant) => JSON.stringify(Object.entries(plant).sort()));
  return fieldsOfA === fieldsOfB;
}

/** A plant without what isn't one's business, such as the id of an item. */
export function plantOf(item: Readonly<Record<string, unknown>>): Plant {
  const { id: _id, ...plant } = item;
  if (typeof plant.name !== 'string') throw new Error('an item has no name');
  return Object.assign({ name: plant.name }, plant);
}
