import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { EmulatorError } from '../../../emulator/index.ts';
import { reloadOnSave } from '../../../start/reload.ts';

let project: string;
let stopping: AbortController;
let builds: PromiseWithResolvers<void>[];
let syntheses: PromiseWithResolvers<string | undefined>[];
/** The assembly and the build that run. */
let live: string[];
let printed: string[];
let holds: number;
let unchanged: boolean;

// The builds and syntheses end when a test says so.
beforeEach(async () => {
  project = mkdtempSync(join(tmpdir(), 'plant-store-reload-'));
  for (const folder of ['lambda/shared', 'lib']) mkdirSync(join(project, folder), { recursive: true });
  [stopping, builds, syntheses, live, printed] = [new AbortController(), [], [], [], []];
  [holds, unchanged] = [0, false];
  const bundleOf = (build: number) => ({
    name: 'create-plant' as const,
    asset: 'create-plant',
    folder: join(project, `${build}`),
    hash: `${build}`,
  });
  reloadOnSave({
    project,
    assembly: 'assembly 0',
    bundles: [bundleOf(0)],
    stopping: stopping.signal,
    print: (message) => printed.push(message),
    emulator: {
      holdRequests: () => {
        holds += 1;
      },
      reload: async ({ assembly, assets }) => {
        live.push(`${assembly}, build ${assets?.get('create-plant')?.slice(project.length + 1)}`);
      },
    },
    bundler: {
      invalidate: () => {},
      build: async (last = []) => {
        const number = builds.push(Promise.withResolvers()) - 1;
        await builds[number]?.promise;
        return unchanged || number === 0 ? last : [bundleOf(number)];
      },
    },
    synthesizer: {
      interrupt: () => syntheses.at(-1)?.resolve(undefined),
      synthesize: () => {
        syntheses.push(Promise.withResolvers());
        return syntheses.at(-1)?.promise ?? Promise.resolve(undefined);
      },
    },
  });
  // Of what was saved while the emulator started.
  builds[0]?.resolve();
  await sleep(50);
});
afterEach(() => {
  stopping.abort();
  rmSync(project, { recursive: true });
});

const save = (file: string) => writeFileSync(join(project, file), 'saved');

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(5, undefined, { signal: stopping.signal });
}

/** Longer than saves are collected. */
const untilSeen = () => sleep(150);

describe('npm start', () => {
  test('builds once more for any number of saves during a build', async () => {
    save('lambda/a.ts');
    await until(() => builds.length === 2);
    for (const file of ['a', 'b', 'c']) {
      save(`lambda/${file}.ts`);
      await untilSeen();
    }
    builds[1]?.resolve();
    await until(() => builds.length === 3);
    builds[2]?.resolve();
    await until(() => live.length === 2);
    await untilSeen();
    expect({ builds: builds.length, live }).toEqual({
      builds: 3,
      live: ['assembly 0, build 1', 'assembly 0, build 2'],
    });
  });

  test('reloads a save in lambda/ with the stack if lib/ is saved before it and after it', async () => {
    save('lib/a.ts');
    await until(() => syntheses.length === 1);
    save('lambda/a.ts');
    await untilSeen();
    save('lib/a.ts');
    await until(() => syntheses.length === 2);
    syntheses[1]?.resolve('assembly 2');
    await until(() => builds.length === 2);
    builds[1]?.resolve();
    await until(() => live.length > 0);
    expect(live).toEqual(['assembly 2, build 1']);
  });

  test('reloads a save in lambda/ during the synthesis of lambda/shared/ at once, and synthesizes again', async () => {
    save('lambda/shared/errors.ts');
    await until(() => builds.length === 2);
    builds[1]?.resolve();
    await until(() => syntheses.length === 1);
    save('lambda/a.ts');
    await until(() => builds.length === 3);
    builds[2]?.resolve();
    await until(() => syntheses.length === 2);
    expect(live).toEqual(['assembly 0, build 1', 'assembly 0, build 2']);
  });

  test('holds requests while lambda/ is reloaded, and not during a synthesis', async () => {
    const before = holds;
    save('lib/a.ts');
    await until(() => syntheses.length === 1);
    expect(holds).toBe(before);
    syntheses[0]?.reject(new EmulatorError('broken'));
    save('lambda/a.ts');
    await until(() => builds.length === 2);
    expect(holds).toBe(before + 1);
  });

  test('does not report a return to the last good version while lib/ is broken', async () => {
    save('lib/a.ts');
    await until(() => syntheses.length === 1);
    syntheses[0]?.reject(new EmulatorError('broken'));
    await until(() => printed.includes('broken\nThe last good version runs on.'));
    unchanged = true;
    save('lambda/a.ts');
    await until(() => builds.length === 2);
    builds[1]?.resolve();
    await untilSeen();
    expect(printed.at(-1)).toBe('broken\nThe last good version runs on.');
  });

  test('synthesizes a save in lambda/shared/ as soon as the functions can be built again', async () => {
    save('lambda/shared/errors.ts');
    await until(() => builds.length === 2);
    builds[1]?.reject(new EmulatorError('broken'));
    await until(() => printed.includes('broken\nThe last good version runs on.'));
    save('lambda/a.ts');
    await until(() => builds.length === 3);
    expect(syntheses).toHaveLength(0);
    builds[2]?.resolve();
    await until(() => syntheses.length === 1);
    expect(live).toEqual(['assembly 0, build 2']);
  });

  test('reloads lambda/ when the folder has been removed and created again', async () => {
    rmSync(join(project, 'lambda'), { recursive: true });
    await until(() => builds.length === 2);
    builds[1]?.reject(new EmulatorError('there is no lambda/'));
    await untilSeen();
    mkdirSync(join(project, 'lambda'));
    await until(() => builds.length === 3);
    builds[2]?.resolve();
    // lambda/shared/ has been removed too.
    await until(() => syntheses.length === 1);
    syntheses[0]?.resolve(undefined);
    save('lambda/a.ts');
    await until(() => builds.length === 4);
  });
});
