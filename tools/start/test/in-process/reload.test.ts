import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { UserError } from '@plant-store/emulator';
import { Reloader } from '../../reload.ts';

const GENERATE = `import { writeFileSync } from 'node:fs'; writeFileSync('generated', '');`;
/** Longer than it takes to notice a saved file. */
const NOTICED_MS = 300;
const SYNTHESIZING = 'Synthesizing the stack …';
const RELOADED = 'Reloaded in N ms.';

const project = mkdtempSync(join(tmpdir(), 'plant-store-reload-'));
const live: string[] = [];
const printed: string[] = [];
let builds = 0;
/** Every build waits for this. */
let finished = Promise.withResolvers<void>();
finished.resolve();
/** What the next build and synthesis return; the build fails if `code` is an Error. */
let saved: { stack: string; code: string | Error } = { stack: 'one', code: 'one' };

const reloader = startReloader();
function startReloader() {
  for (const folder of ['bin', 'lambda/shared', 'lib'])
    mkdirSync(join(project, folder), { recursive: true });
  for (const file of ['openapi.json', 'lambda/a.ts', 'lib/a.ts'])
    writeFileSync(join(project, file), '');
  writeFileSync(join(project, 'bin/generate.ts'), GENERATE);
  return new Reloader({
    project,
    print: (message) => printed.push(message.replace(/\d+ ms/, 'N ms')),
    emulator: {
      holdRequests: () => {},
      run: async ({ assembly, assets }) => {
        live.push(`${assembly}, ${assets?.get('code')}`);
        return { outputs: {}, leftOut: new Map(), failures: [] };
      },
    },
    build: async () => {
      builds += 1;
      const { stack, code } = saved;
      await finished.promise;
      if (code instanceof Error) throw code;
      return { stack, assets: new Map([['code', code]]) };
    },
    synthesize: async () => {
      if (saved.stack === 'broken') throw new UserError('cdk.json must be an object');
      return `stack ${saved.stack}`;
    },
  });
}

beforeAll(async () => {
  await reloader.first;
  await sleep(NOTICED_MS);
});
afterAll(async () => {
  await reloader.stop();
  rmSync(project, { recursive: true });
});

/** Saves a file as editors do, by replacing it. @returns what is printed until the saved code has been loaded or failed */
async function save(file: string, next: Partial<typeof saved>): Promise<string[]> {
  saved = { ...saved, ...next };
  const before = printed.length;
  writeFileSync(join(project, 'saved.tmp'), 'saved');
  renameSync(join(project, 'saved.tmp'), join(project, file));
  await until(() =>
    printed.slice(before).some((message) => /Reloaded|Still running/.test(message)),
  );
  return printed.slice(before);
}

/** @throws TimeoutError before the test times out */
async function until(isDone: () => boolean): Promise<void> {
  const deadline = AbortSignal.timeout(30_000);
  while (!isDone()) {
    deadline.throwIfAborted();
    await sleep(5);
  }
}

// Each test continues from the previous one.
describe('npm start', () => {
  test('generates code on startup', () => {
    expect(existsSync(join(project, 'generated'))).toBe(true);
    expect({ live, printed }).toEqual({ live: ['stack one, one'], printed: [SYNTHESIZING] });
  });

  test.each<
    [what: string, file: string, next: Partial<typeof saved>, printed: string[], live: string]
  >([
    ['a function', 'lambda/a.ts', { code: 'two' }, [RELOADED], 'stack one, two'],
    ['the stack', 'lib/a.ts', { stack: 'two' }, [SYNTHESIZING, RELOADED], 'stack two, two'],
    [
      'a new file of both',
      'lambda/shared/new.ts',
      { stack: 'three', code: 'three' },
      [SYNTHESIZING, RELOADED],
      'stack three, three',
    ],
    [
      'a function that cannot be built',
      'lambda/a.ts',
      { code: new UserError('expected ";"') },
      ['expected ";"\nStill running the last good version.'],
      'stack three, three',
    ],
    [
      'a stack that cannot be synthesized',
      'lib/a.ts',
      { stack: 'broken', code: 'four' },
      [SYNTHESIZING, 'cdk.json must be an object\nStill running the last good version.'],
      'stack three, three',
    ],
    ['the previous stack', 'lib/a.ts', { stack: 'three' }, [RELOADED], 'stack three, four'],
  ])(
    'after a save of %s, runs it or explains why not',
    async (_, file, next, messages, version) => {
      expect(await save(file, next)).toEqual(messages);
      expect(live.at(-1)).toBe(version);
    },
  );

  test('runs and prints only what was saved last, if parts of it were saved before', async () => {
    const before = printed.length;
    for (const code of [new Error('half'), 'half', 'whole']) {
      const [buildsBefore, { resolve: finish }] = [builds, finished];
      finished = Promise.withResolvers<void>();
      saved = { ...saved, code };
      writeFileSync(join(project, 'lambda/a.ts'), 'saved');
      await sleep(NOTICED_MS);
      finish();
      await until(() => builds > buildsBefore);
    }
    finished.resolve();
    await until(() => printed.length > before);
    expect(live.at(-1)).toBe('stack three, whole');
    expect(live).not.toContain('stack three, half');
    expect(printed.slice(before)).toEqual([RELOADED]);
  });

  test('generates code again until openapi.json is fixed', async () => {
    writeFileSync(join(project, 'bin/generate.ts'), `throw 'paths is missing';`);
    const [message] = await save('openapi.json', {});
    expect(message).toContain('\npaths is missing\n');
    writeFileSync(join(project, 'bin/generate.ts'), GENERATE);
    rmSync(join(project, 'generated'));
    await save('lambda/a.ts', { code: 'five' });
    expect(existsSync(join(project, 'generated'))).toBe(true);
  });

  test('keeps the stack of a bug', async () => {
    const [printed] = await save('lambda/a.ts', { code: new TypeError('bug') });
    expect(printed).toMatch(/^TypeError: bug\n +at .*reload\.test\.ts:\d+/);
    const other = startReloader();
    await expect(other.first).rejects.toBe(saved.code);
    await other.stop();
  });
});
