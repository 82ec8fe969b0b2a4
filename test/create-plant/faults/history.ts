import type { Plant } from '../plants.ts';

/** One plant that one client wants to create. */
export interface Creation {
  readonly id: number;
  readonly plant: Plant;
  /** Whether the client retries retryable errors. */
  readonly retries: boolean;
}

/** A creation and its last response. */
export interface Outcome extends Creation {
  readonly status: number;
  readonly error: number | undefined;
}

/**
 * Finds contradictions between the responses to clients and the table, after all requests have ended.
 *
 * @param plants all plants in the table, keyed by the decimal id
 * @returns one line for each contradiction
 */
export function contradictions(outcomes: readonly Outcome[], plants: ReadonlyMap<string, Plant>): string[] {
  const requested = Map.groupBy(outcomes, ({ id }) => String(id));
  const ofClients = outcomes.flatMap((outcome) => {
    const stored = plants.get(String(outcome.id));
    const found = contradiction(outcome, stored);
    return found === undefined ? [] : [`${outcome.id}: ${found}`];
  });
  const ofTable = [...plants].flatMap(([id, stored]) =>
    requested.get(id)?.some(({ plant }) => same(plant, stored))
      ? []
      : [`${id}: no client sent the stored plant`],
  );
  return [...ofClients, ...ofTable];
}

function contradiction({ status, error, plant, retries }: Outcome, stored: Plant | undefined) {
  const isStored = stored !== undefined && same(stored, plant);
  if (status === 200) return isStored ? undefined : 'returned 200, but the plant is not in the table';
  if (error === 1004) {
    if (stored === undefined)
      return 'reported that another plant has the id, but the table has no plant with the id';
    return isStored ? 'reported that another plant has the id, but the table has the same plant' : undefined;
  }
  // DynamoDB or the token check failed, so the outcome is unknown until a retry succeeds.
  if ((status === 400 && error === 1500) || (status === 500 && error === 2500)) {
    return retries ? 'did not return 200 to any retry' : undefined;
  }
  return `returned ${status} ${error}`;
}

function same(a: Plant, b: Plant): boolean {
  return a.name === b.name && a.tag === b.tag;
}
