import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Reloader } from '../../reload.ts';

const FAILURE = 'authorize cannot be loaded (Error: too early): fix its code';
const GENERATE = `import { writeFileSync } from 'node:fs'; writeFileSync('generated', '');`;

let project: string;
let reloader: Reloader;
/** What the next build returns; the build fails if `code` is an Error. */
let saved: { stack: string; code: string | Error };
/** The assembly and the build of every version that went live. */
let live: string[];
let printed: string[];
let builds: number;
/** Every build waits for this. */
let building: Promise<void>;
let syntheses: number;
let held: number;

beforeEach(async () => {
  project = mkdtempSync(join(tmpdir(), 'plant-store-reload-'));
  for (const folder of ['bin', 'lambda/shared', 'lib']) mkdirSync(join(project, folder), { recursive: true });
  for (const file of ['openapi.json', 'lambda/a.ts', 'lib/a.ts']) writeFileSync(join(project, file), '');
  writeFileSync(join(project, 'bin/generate.ts'), GENERATE);
  [live, printed, builds, syntheses, held] = [[], [], 0, 0, 0];
  saved = { stack: 'one', code: 'one' };
  building = Promise.resolve();
  reloader = new Reloader({
    project,
    print: (message) => printed.push(message.replace(/\d+ ms/, 'N ms')),
    emulator: {
      holdRequests: (until) => {
        held += 1;
        void until.finally(() => held--);
      },
      run: async ({ assembly, assets }) => {
        live.push(`${assembly}, ${assets?.get('authorize')}`);
        const failures = live.length === 1 ? [FAILURE] : [];
        return { outputs: {}, tableNames: [], leftOut: new Map(), failures };
      },
    },
    bundler: {
      build: async (last = []) => {
        builds += 1;
        const { stack, code } = saved;
        await building;
        if (code instanceof Error) throw code;
        const bundle = { name: 'authorize' as const, asset: 'authorize', folder: code, hash: code };
        return { stack, bundles: last[0]?.hash === code ? last : [bundle] };
      },
      stop: async () => {},
    },
    synthesize: async () => {
      syntheses += 1;
      if (saved.stack === 'broken') throw new Error('cdk.json must be an object');
      return `stack ${saved.stack}`;
    },
  });
  await reloader.first;
  await sleep(300);
});
afterEach(async () => {
  await reloader.stop();
  rmSync(project, { recursive: true });
});

/** Saves a file as editors do, by replacing it, and waits until the saved code has been reloaded. */
async function save(file: string, next: Partial<typeof saved>): Promise<void> {
  saved = { ...saved, ...next };
  const before = builds;
  writeFileSync(join(project, 'saved.tmp'), 'saved');
  renameSync(join(project, 'saved.tmp'), join(project, file));
  while (builds === before || held > 0) await sleep(5);
  await sleep(50);
}

describe('npm start', () => {
  test('generates code on startup, and prints which function cannot be loaded and why', () => {
    expect(existsSync(join(project, 'generated'))).toBe(true);
    expect({ live, printed }).toEqual({
      live: ['stack one, one'],
      printed: ['Synthesizing the stack …', FAILURE],
    });
  });

  test('reloads functions without a synthesis, and the stack if its code has changed', async () => {
    await save('lambda/a.ts', { code: 'two' });
    expect([live.at(-1), syntheses]).toEqual(['stack one, two', 1]);
    await save('lib/a.ts', { stack: 'two' });
    expect([live.at(-1), syntheses]).toEqual(['stack two, two', 2]);
    await save('lambda/shared/new.ts', { code: 'three', stack: 'three' });
    expect(live.at(-1)).toBe('stack three, three');
    expect(printed.at(-1)).toBe('Reloaded the stack, authorize in N ms.');
  });

  test('keeps the last good version while code is broken, and prints when it is restored', async () => {
    await save('lambda/a.ts', { code: new Error('ENOSPC') });
    await save('lambda/a.ts', { code: 'one' });
    await save('lib/a.ts', { stack: 'broken' });
    await save('lib/a.ts', { stack: 'one' });
    expect(live).toEqual(['stack one, one']);
    expect(printed.slice(2)).toEqual([
      'ENOSPC\nStill running the last good version.',
      'Accepted the restored code in N ms.',
      'Synthesizing the stack …',
      'cdk.json must be an object\nStill running the last good version.',
      'Accepted the restored code in N ms.',
    ]);
  });

  test.each(['half', new Error('half')])(
    'runs and prints only what was saved last, when %s of it was saved before',
    async (half) => {
      const [before, built] = [builds, Promise.withResolvers<void>()];
      building = built.promise;
      saved = { ...saved, code: half };
      writeFileSync(join(project, 'lambda/a.ts'), 'saved');
      while (builds === before) await sleep(5);
      saved = { ...saved, code: 'whole' };
      writeFileSync(join(project, 'lib/a.ts'), 'saved');
      await sleep(300);
      built.resolve();
      while (builds === before + 1 || held > 0) await sleep(5);
      expect(live).toEqual(['stack one, one', 'stack one, whole']);
      expect(printed.slice(2)).toEqual(['Reloaded authorize in N ms.']);
    },
  );

  test('generates code again until openapi.json is fixed', async () => {
    writeFileSync(join(project, 'bin/generate.ts'), `throw 'paths is missing';`);
    writeFileSync(join(project, 'openapi.json'), '{');
    while (printed.length < 3) await sleep(5);
    expect(printed.at(-1)).toMatch(/^bin\/generate.ts failed:\n(.|\n)*paths is missing/);
    writeFileSync(join(project, 'bin/generate.ts'), GENERATE);
    await save('lambda/a.ts', { code: 'two' });
    expect(live.at(-1)).toBe('stack one, two');
  });
});
