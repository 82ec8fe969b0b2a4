import fc from 'fast-check';
import { type Answer, type Plant, plantOf, samePlant, type Target } from '../support/target.ts';
import { anyBody, newPlant } from './bodies.ts';
import { anyHeaders, contentTypes, isJson } from './headers.ts';
import { type Promised, promised } from './oracle.ts';

/** A property with how many cases out of a hundred are its own. */
export interface Property {
  readonly name: string;
  readonly share: number;
  // biome-ignore lint/suspicious/noExplicitAny: each has cases of its own type, and nobody asks for it
  readonly property: fc.IAsyncPropertyWithHooks<[any]>;
}

const JSON_TYPE = { 'Content-Type': 'application/json' };

/**
 * What holds of the service whatever it is sent. `plants` is what the store has at the start; it is kept up
 * to date, so that it can be compared with the whole store at the end.
 */
export function properties(target: Target, plants: Map<string, Plant>): Property[] {
  /** Sends a body and checks answer and store against the promise. */
  async function keepsItsPromise(body: Buffer): Promise<void> {
    const promise = promised(body, plants);
    check(promise, await target.create(body));
    if (promise.status !== 200) return;
    plants.set(String(promise.id), promise.plant);
    const stored = await target.stored(promise.id);
    equal('the item', stored, promise.plant);
  }

  return [
    {
      name: 'a valid NewPlant is stored exactly, or its id is another plant’s',
      share: 30,
      property: fc.asyncProperty(newPlant, (text) => keepsItsPromise(Buffer.from(text))),
    },
    {
      name: 'any body is answered as the interface says',
      share: 50,
      property: fc.asyncProperty(anyBody, keepsItsPromise),
    },
    {
      name: 'the media type decides, in any spelling and whatever the body is',
      share: 10,
      property: fc.asyncProperty(fc.tuple(contentTypes, anyBody), async ([contentType, body]) => {
        const promise = isJson(contentType) ? promised(body, plants) : { status: 400 as const, error: 1000 };
        check(promise, await target.create(body, { ...JSON_TYPE, 'Content-Type': contentType }));
        if (promise.status === 200) plants.set(String(promise.id), promise.plant);
      }),
    },
    {
      name: 'no mix of headers makes the service fail, or changes what is stored',
      share: 8,
      property: fc.asyncProperty(fc.tuple(anyHeaders, newPlant), async ([headers, text]) => {
        const body = Buffer.from(text);
        const promise = promised(body, plants);
        const { status } = await target.create(body, headers);
        holds(status === 200 || (status >= 400 && status < 500), `it answered ${status}`);
        if (status !== 200) return;
        holds(promise.status === 200, 'it took what is no NewPlant');
        if (promise.status === 200) plants.set(String(promise.id), promise.plant);
      }),
    },
    {
      name: 'one of many at once wins an id, and all others hear so',
      share: 1,
      property: fc.asyncProperty(
        fc.tuple(
          fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
          fc.array(fc.nat(4), { minLength: 2 }),
        ),
        async ([id, names]) => {
          const before = plants.get(String(id));
          const answers = await Promise.all(
            names.map((name) => target.create(Buffer.from(`{"id":${id},"name":"racer ${name}"}`))),
          );
          const stored = await target.stored(id);
          holds(
            stored !== undefined && (before === undefined || samePlant(stored, before)),
            'the item changed',
          );
          if (stored !== undefined) plants.set(String(id), stored);
          for (const [at, answer] of answers.entries()) {
            const own = { name: `racer ${names[at]}` };
            const won = stored !== undefined && samePlant(stored, own);
            check(won ? { status: 200, id, plant: own } : { status: 400, error: 1004 }, answer);
          }
        },
      ),
    },
    {
      name: 'a deeply nested body is refused, or its plant created',
      share: 0.5,
      property: fc.asyncProperty(
        fc.tuple(fc.integer({ min: 1, max: 200_000 }), fc.boolean(), fc.boolean()),
        async ([depth, closed, inPlant]) => {
          const nested = '['.repeat(depth) + (closed ? ']'.repeat(depth) : '');
          const id = `${depth}${closed}`.length;
          const body = inPlant ? `{"id":${id},"name":"deep","deep":${nested}}` : nested;
          const present = plants.get(String(id));
          const answer = await target.create(Buffer.from(body));
          if (answer.status === 200) {
            holds(closed && inPlant, 'it took what is no NewPlant');
            plants.set(String(id), { name: 'deep' });
            return;
          }
          const taken = present !== undefined && !samePlant(present, { name: 'deep' });
          const allowed = taken ? [1001, 1002, 1004] : [1001, 1002];
          holds(answer.status === 400 && allowed.includes(answer.body.error), `it answered ${answer.status}`);
        },
      ),
    },
    {
      name: 'a plant is stored up to the size that the store can hold, and refused beyond',
      share: 0.5,
      property: fc.asyncProperty(
        fc.tuple(fc.integer({ min: -40, max: 40 }), fc.constantFrom('x', 'é', '⚘', '🌱'), fc.nat(1_000_000)),
        async ([beyond, character, id]) => {
          const [width, names] = [Buffer.byteLength(character), Buffer.byteLength('idname')];
          const count = Math.floor((400 * 1024 - names + beyond) / width);
          const size = names + count * width;
          const plant = { name: character.repeat(count) };
          const present = plants.get(String(id));
          const { status, body } = await target.create(Buffer.from(JSON.stringify({ id, ...plant })));
          if (status === 200) {
            holds(size <= 400 * 1024, `it took ${size} bytes`);
            plants.set(String(id), plant);
            return;
          }
          // How many bytes the number takes is DynamoDB's own affair: at most 21.
          const expected = present === undefined ? [1003] : [1003, 1004];
          holds(size + 21 > 400 * 1024 || present !== undefined, `it refused ${size} bytes`);
          holds(status === 400 && expected.includes(body.error), `it answered ${status} ${body.error}`);
        },
      ),
    },
  ];
}

/** The last property of all: the store has what was acknowledged, and nothing else. */
export async function nothingElseIsStored(target: Target, plants: ReadonlyMap<string, Plant>): Promise<void> {
  const items = await target.items();
  const differing = [...new Set([...items.keys(), ...plants.keys()])].filter((id) => {
    const [item, plant] = [items.get(id), plants.get(id)];
    return item === undefined || plant === undefined || !samePlant(item, plant);
  });
  holds(differing.length === 0, `the store differs for the ids ${differing.slice(0, 10)}`);
}

function check(promise: Promised, { status, body }: Answer): void {
  if (promise.status === 200) {
    holds(status === 200, `it answered ${status} ${body.error}, not 200`);
    equal('the answer', body, promise.plant);
  } else {
    holds(
      status === 400 && body.error === promise.error,
      `it answered ${status} ${body.error}, not ${promise.error}`,
    );
  }
}

function equal(what: string, actual: object | undefined, plant: Plant): void {
  holds(actual !== undefined && samePlant(plantOf({ ...actual }), plant), `${what} is not what was sent`);
}

/** Short, whatever the values are. @throws Error */
function holds(condition: boolean, otherwise: string): void {
  if (!condition) throw new Error(otherwise);
}
