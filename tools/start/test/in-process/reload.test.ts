import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Reloader } from '../../reload.ts';

const FAILURE = 'create-plant cannot be loaded (Error: too early): fix its code';
const version = { outputs: {}, tableNames: [], leftOut: new Map() };
const GENERATE = `import { writeFileSync } from 'node:fs'; writeFileSync('generated', '');`;

let project: string;
let reloader: Reloader;
/** The builds; a test resolves each with the hash of the stack's code. */
let builds: PromiseWithResolvers<string>[];
/** The syntheses; to break the stack, a test rejects a synthesis. */
let syntheses: PromiseWithResolvers<void>[];
/** The assembly and the build of every version that went live. */
let live: string[];
let printed: string[];
/** How often requests have been held, and how many of these holds have not ended. */
let holds: number;
let held: number;
/** How often the types have been checked. */
let checks: number;
/** Whether a build returns the same bundles as the previous build. */
let unchanged: boolean;
let ending: AbortController;

// Each test decides when builds and syntheses end.
beforeEach(async () => {
  project = mkdtempSync(join(tmpdir(), 'plant-store-reload-'));
  for (const folder of ['bin', 'lambda/shared', 'lib']) mkdirSync(join(project, folder), { recursive: true });
  writeFileSync(join(project, 'bin/generate.ts'), GENERATE);
  [builds, syntheses, live, printed, holds, held, checks] = [[], [], [], [], 0, 0, 0];
  unchanged = false;
  ending = new AbortController();
  reloader = new Reloader({
    project,
    print: (message) => printed.push(message),
    types: { check: () => void checks++, cancel: () => {} },
    emulator: {
      holdRequests: (until) => {
        holds += 1;
        held += 1;
        void until.finally(() => held--);
      },
      run: async ({ assembly, assets }) => {
        live.push(`${assembly.slice(project.length + 1)}, ${assets?.get('create-plant')}`);
        return { ...version, failures: live.length === 1 ? [FAILURE] : [] };
      },
    },
    bundler: {
      build: async (last = []) => {
        const number = builds.push(Promise.withResolvers());
        const stack = (await builds[number - 1]?.promise) ?? '';
        const folder = `build ${number}`;
        const bundle = { name: 'create-plant' as const, asset: 'create-plant', folder, hash: folder };
        return { stack, bundles: unchanged ? last : [bundle] };
      },
      stop: async () => {
        for (const { reject } of builds) reject(new Error('stopped'));
      },
    },
    synthesize: async (signal) => {
      const number = syntheses.push(Promise.withResolvers());
      const assembly = join(project, `assembly ${number}`);
      mkdirSync(assembly);
      const interrupted = new Promise((resolve) => signal.addEventListener('abort', resolve));
      await Promise.race([syntheses[number - 1]?.promise, interrupted]);
      return assembly;
    },
  });
  await until(() => builds.length === 1 && syntheses.length === 1);
  builds[0]?.resolve('stack');
  syntheses[0]?.resolve();
  await reloader.first;
  await until(() => held === 0);
});
afterEach(async () => {
  ending.abort();
  await reloader.stop();
  rmSync(project, { recursive: true });
});

/** Waits until the condition is true or the test times out. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(5, undefined, { signal: ending.signal });
}

/** Saves a file, and waits until requests are held, which shows that the save was noticed. */
async function noticed(file: string): Promise<void> {
  const before = holds;
  writeFileSync(join(project, file), 'saved');
  await until(() => holds > before);
}

describe('npm start', () => {
  test('generates code on startup, and prints which function cannot be loaded and why', () => {
    expect(existsSync(join(project, 'generated'))).toBe(true);
    expect(printed).toEqual(['Synthesizing the stack …', FAILURE]);
  });

  test('prints that it returned to the last good version when openapi.json is fixed', async () => {
    unchanged = true;
    writeFileSync(join(project, 'bin/generate.ts'), `throw 'paths is missing';`);
    await noticed('openapi.json');
    await until(() => builds.length === 2);
    builds[1]?.resolve('stack');
    await until(() => held === 0);
    writeFileSync(join(project, 'bin/generate.ts'), GENERATE);
    await noticed('openapi.json');
    await until(() => builds.length === 3);
    builds[2]?.resolve('stack');
    await until(() => held === 0);
    expect(printed.slice(2)).toEqual([
      expect.stringMatching(
        /^bin\/generate.ts failed:\n(.|\n)*paths is missing(.|\n)*\nStill running the last good version\.$/,
      ),
      expect.stringMatching(/^Generated lambda\/generated\/ from openapi.json in \d+ ms\.$/),
      expect.stringMatching(/^Accepted the restored code in \d+ ms\.$/),
    ]);
  });

  test('checks the types of running code while openapi.json and lib/ are broken', async () => {
    writeFileSync(join(project, 'bin/generate.ts'), 'throw 1;');
    await noticed('openapi.json');
    await until(() => builds.length === 2);
    builds[1]?.resolve('another');
    await until(() => syntheses.length === 2);
    syntheses[1]?.reject(new Error('cdk.json must be an object'));
    await until(() => printed.length === 6 && held === 0);
    const before = checks;
    await noticed('lambda/a.ts');
    builds[2]?.resolve('another');
    await until(() => held === 0);
    expect(checks).toBe(before + 1);
  });

  test('builds only once more after any number of saves during a build, and then releases the held requests', async () => {
    await noticed('lambda/a.ts');
    for (const file of ['a', 'b', 'c']) await noticed(`lambda/${file}.ts`);
    builds[1]?.resolve('stack');
    await until(() => builds.length === 3);
    expect(held).toBe(3);
    builds[2]?.resolve('stack');
    await until(() => held === 0);
    expect(live).toEqual(['assembly 1, build 1', 'assembly 1, build 2', 'assembly 1, build 3']);
  });

  test('interrupts a synthesis if lib/ is saved again; if lambda/ is saved, that change goes live with the new stack', async () => {
    await noticed('lib/a.ts');
    await until(() => syntheses.length === 2);
    await noticed('lib/a.ts');
    builds[1]?.resolve('another');
    await until(() => syntheses.length === 3);
    builds[2]?.resolve('the last');
    await until(() => held === 0);
    await noticed('lambda/a.ts');
    builds[3]?.resolve('the last');
    await until(() => held === 0);
    expect(live).toHaveLength(1);
    syntheses[2]?.resolve();
    await until(() => live.length === 2);
    expect(live[1]).toBe('assembly 3, build 4');
  });

  test('reloads a function at once, and the stack later, if lib/ imports the saved file in lambda/', async () => {
    const now = jest.spyOn(performance, 'now').mockReturnValue(0);
    await noticed('lambda/shared/errors.ts');
    builds[1]?.resolve('another');
    await until(() => live.length === 2 && syntheses.length === 2 && held === 0);
    now.mockReturnValue(2_000);
    syntheses[1]?.resolve();
    await until(() => live.length === 3 && held === 0);
    now.mockRestore();
    expect(live.slice(1)).toEqual(['assembly 1, build 2', 'assembly 2, build 2']);
    expect(printed.at(-1)).toBe('Reloaded the stack in 2000 ms.');
  });

  test('removes the previous assembly a minute after a reload', async () => {
    const timeout = jest.spyOn(globalThis, 'setTimeout');
    await noticed('lib/a.ts');
    builds[1]?.resolve('another');
    await until(() => syntheses.length === 2);
    syntheses[1]?.resolve();
    await until(() => live.length === 2 && held === 0);
    for (const [remove, milliseconds] of timeout.mock.calls) if (milliseconds === 60_000) remove();
    timeout.mockRestore();
    await until(() => !existsSync(join(project, 'assembly 1')));
    expect(existsSync(join(project, 'assembly 2'))).toBe(true);
  });

  test('prints every 2 s that a synthesis is still running', async () => {
    const interval = jest.spyOn(globalThis, 'setInterval');
    await noticed('lib/a.ts');
    builds[1]?.resolve('another');
    await until(() => syntheses.length === 2);
    expect(interval).toHaveBeenCalledWith(expect.any(Function), 2_000);
    for (const _ of [2, 4]) interval.mock.calls[0]?.[0]();
    expect(printed.slice(-2)).toEqual(['Still synthesizing after 2 s …', 'Still synthesizing after 4 s …']);
    interval.mockRestore();
    syntheses[1]?.resolve();
    await until(() => live.length === 2);
  });

  test('prints every error, keeps the last good version, and reloads functions while the stack is broken', async () => {
    await noticed('lambda/a.ts');
    builds[1]?.reject(new Error('ENOSPC: no space left on device'));
    await until(() => held === 0);
    await noticed('lib/a.ts');
    builds[2]?.resolve('another');
    await until(() => syntheses.length === 2);
    syntheses[1]?.reject(new TypeError('cdk.json must be an object'));
    await until(() => live.length === 2);
    expect({ live: live[1], printed: printed.slice(2) }).toEqual({
      live: 'assembly 1, build 3',
      printed: [
        'ENOSPC: no space left on device\nStill running the last good version.',
        'Synthesizing the stack …',
        'cdk.json must be an object\nStill running the last good version.',
        expect.stringMatching(/^Reloaded create-plant in \d+ ms\.$/),
      ],
    });
  });
});
