import { setTimeout as sleep } from 'node:timers/promises';
import type { Service } from '../support/service.ts';
import type { Plant } from '../support/target.ts';

/** One client's one wish. */
export interface Wish {
  readonly id: number;
  readonly plant: Plant;
  /** Whether it asks again as long as it is told to; others ask once. */
  readonly patient: boolean;
}

/** What became of it: the last answer. */
export interface Outcome extends Wish {
  readonly status: number;
  readonly error: number | undefined;
}

/** Before each of these, a client that was told to try again can't be unlucky so often. */
const MAX_ATTEMPTS = 60;
const PAUSE_MS = 20;

/** Wishes of which about a third are for an id that another client wants for another plant. */
export function randomWishes(count: number, random: () => number): Wish[] {
  return Array.from({ length: count }, (_, at) => {
    const contended = random() < 0.5;
    const id = contended ? 1 + Math.floor((random() * count) / 6) : count + at;
    const name = contended ? `contended ${id} ${Math.floor(random() * 3)}` : `own ${at}`;
    const plant: Plant = random() < 0.5 ? { name } : { name, tag: `tag ${random()}` };
    return { id, plant, patient: random() < 0.6 };
  });
}

/** Makes all wishes, `concurrency` at a time. Each answer is checked against the contract. */
export async function createAll(
  service: Service,
  wishes: readonly Wish[],
  { concurrency, onProgress = () => {} }: { concurrency: number; onProgress?: (done: number) => void },
): Promise<Outcome[]> {
  const left = [...wishes];
  const outcomes: Outcome[] = [];
  const client = async () => {
    for (let wish = left.pop(); wish !== undefined; wish = left.pop()) {
      outcomes.push(await create(service, wish));
      onProgress(outcomes.length);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, client));
  return outcomes;
}

async function create(service: Service, wish: Wish): Promise<Outcome> {
  for (let attempt = 1; ; attempt += 1) {
    const { status, body } = await service.create({ id: wish.id, ...wish.plant });
    const outcome = { ...wish, status, error: body.error };
    const retryable = body.error === 1500 || body.error === 2500;
    if (!retryable || !wish.patient || attempt === MAX_ATTEMPTS) return outcome;
    await sleep(PAUSE_MS);
  }
}
