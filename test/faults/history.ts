import type { Plant } from '../support/target.ts';
import type { Outcome } from './creations.ts';

/**
 * What can't be, given what clients were told and what is in the store once all is quiet.
 *
 * @param plants the whole store, by the decimal id
 * @returns one line for each fault
 */
export function contradictions(outcomes: readonly Outcome[], plants: ReadonlyMap<string, Plant>): string[] {
  const wanted = Map.groupBy(outcomes, ({ id }) => String(id));
  const ofClients = outcomes.flatMap((outcome) => {
    const stored = plants.get(String(outcome.id));
    const fault = contradiction(outcome, stored);
    return fault === undefined ? [] : [`${outcome.id}: ${fault}`];
  });
  const ofStore = [...plants].flatMap(([id, stored]) =>
    wanted.get(id)?.some(({ plant }) => same(plant, stored)) ? [] : [`${id}: nobody sent what is stored`],
  );
  return [...ofClients, ...ofStore];
}

function contradiction({ status, error, plant, patient }: Outcome, stored: Plant | undefined) {
  const isStored = stored !== undefined && same(stored, plant);
  if (status === 200) return isStored ? undefined : 'answered 200, and its plant is not in the store';
  if (error === 1004) {
    if (stored === undefined) return 'told that another plant has the id, and none has';
    return isStored ? 'told that another plant has the id, and it is the very plant' : undefined;
  }
  // The store failed, or the check of the token did: then nothing is known, and asking again tells.
  if ((status === 400 && error === 1500) || (status === 500 && error === 2500)) {
    return patient ? 'never got to 200, often as it asked' : undefined;
  }
  return `answered ${status} ${error}`;
}

function same(a: Plant, b: Plant): boolean {
  return a.name === b.name && a.tag === b.tag;
}
