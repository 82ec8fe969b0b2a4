import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import { UserError } from '../../../command-line/failures.ts';
import { Reloader } from '../../reload.ts';

/** Longer than it takes to notice a saved file. */
const NOTICED_MS = 300;
const SYNTHESIZING = 'Synthesizing the stack …';
const RELOADED = 'Reloaded in N ms.';
const STILL_RUNNING = 'Still running the last good version.';

type Files = Readonly<Record<string, string>>;

let folder: string;
let reloader: Reloader | undefined;
afterEach(() => reloader?.stop());

const read = (file: string) => readFileSync(join(folder, file), 'utf8');

/** Saves files as editors do, by replacing them. */
function save(files: Files): void {
  for (const [file, content] of Object.entries(files)) {
    writeFileSync(join(folder, 'saved.tmp'), content);
    renameSync(join(folder, 'saved.tmp'), join(folder, file));
  }
}

/**
 * Starts a project whose function is the text of lambda/a.ts, and whose stack is that of lib/a.ts.
 * @param built called at the end of each build, with the function
 * @returns `reload`, which saves files and returns what is printed until they are loaded or fail, and what has happened
 */
async function start(code = 'one', built: (code: string) => Promise<void> = async () => {}) {
  folder = temporaryFolder();
  for (const name of ['bin', 'lambda/shared', 'lib'])
    mkdirSync(join(folder, name), { recursive: true });
  const generate = `import { readFileSync, writeFileSync } from 'node:fs';
    const contract = readFileSync('openapi.json', 'utf8');
    if (contract === 'broken') throw 'paths is missing';
    writeFileSync('generated', contract);`;
  save({
    'bin/generate.ts': generate,
    'lambda/a.ts': code,
    'lib/a.ts': 'one',
    'openapi.json': 'one',
  });
  const printed: string[] = [];
  const steps: string[] = [];
  const checks: { ended: boolean }[] = [];
  reloader = new Reloader({
    project: folder,
    print: (message) => printed.push(message.replace(/\d+ ms/, 'N ms')),
    emulator: {
      holdRequests: (loaded) => {
        steps.push('hold requests');
        void loaded.then(() => steps.push('release requests'));
      },
      run: async ({ assembly, assets }) => {
        steps.push(`run ${assembly}, ${assets?.get('function')}`);
        return { outputs: {}, leftOut: new Map(), failures: [] };
      },
    },
    build: async () => {
      const [stack, code] = [read('lib/a.ts'), read('lambda/a.ts')];
      await built(code);
      if (code === 'broken') throw new UserError('expected ";"');
      if (code === 'bug') throw new TypeError('bug');
      return { stackKey: stack, assets: new Map([['function', code]]) };
    },
    checkTypes: (signal) => {
      const check = { ended: false };
      checks.push(check);
      signal.addEventListener('abort', () => {
        check.ended = true;
      });
    },
    synthesize: async () => {
      await sleep(1);
      steps.push('synthesize');
      if (read('lib/a.ts') === 'broken') throw new UserError('cdk.json must be an object');
      return `stack ${read('lib/a.ts')}`;
    },
  });
  await reloader.first;
  await sleep(NOTICED_MS);
  const reload = async (files: Files) => {
    printed.length = 0;
    steps.length = 0;
    save(files);
    const deadline = AbortSignal.timeout(30_000);
    while (!printed.some((message) => /Reloaded|Still running/.test(message))) {
      deadline.throwIfAborted();
      await sleep(5);
    }
    return printed;
  };
  return { reload, steps, checks };
}

test.each<[what: string, saved: Files, printed: string[], steps: string[]]>([
  [
    'a function',
    { 'lambda/a.ts': 'two' },
    [RELOADED],
    ['hold requests', 'run stack one, two', 'release requests'],
  ],
  [
    'a function and the stack, for whose synthesis requests need not wait',
    { 'lambda/a.ts': 'two', 'lib/a.ts': 'two' },
    [SYNTHESIZING, RELOADED],
    ['hold requests', 'release requests', 'synthesize', 'run stack two, two'],
  ],
  [
    'a new file',
    { 'lambda/shared/new.ts': '' },
    [RELOADED],
    ['hold requests', 'run stack one, one', 'release requests'],
  ],
  [
    'a function that cannot be built',
    { 'lambda/a.ts': 'broken' },
    [`expected ";"\n${STILL_RUNNING}`],
    ['hold requests', 'release requests'],
  ],
  [
    'a stack that cannot be synthesized',
    { 'lib/a.ts': 'broken' },
    [SYNTHESIZING, `cdk.json must be an object\n${STILL_RUNNING}`],
    ['hold requests', 'release requests', 'synthesize'],
  ],
])('npm start runs saved code, or explains why not: %s', async (_, saved, printed, expected) => {
  const { reload, steps } = await start();
  expect(await reload(saved)).toEqual(printed);
  expect(steps).toEqual(expected);
});

test('npm start does not synthesize the stack again when the last good stack is saved', async () => {
  const { reload } = await start();
  await reload({ 'lib/a.ts': 'broken' });
  expect(await reload({ 'lib/a.ts': 'one' })).toEqual([RELOADED]);
});

test('npm start runs and prints only what was saved last, if parts of it were saved before', async () => {
  const nextPart = new Map([
    ['broken', 'half'],
    ['half', 'whole'],
  ]);
  const { reload, steps } = await start('one', async (code) => {
    const next = nextPart.get(code);
    if (next === undefined) return;
    save({ 'lambda/a.ts': next });
    await sleep(NOTICED_MS);
  });
  expect(await reload({ 'lambda/a.ts': 'broken' })).toEqual([RELOADED]);
  expect(steps).toEqual(['hold requests', 'run stack one, whole', 'release requests']);
});

test('npm start checks the types of what is deployed, until something is saved or it stops', async () => {
  const { reload, checks } = await start();
  await reload({ 'lib/a.ts': 'two' });
  await reload({ 'lambda/a.ts': 'two' });
  await reload({ 'lambda/a.ts': 'broken' });
  await reload({ 'lambda/a.ts': 'three' });
  expect(checks).toEqual([{ ended: true }, { ended: true }, { ended: false }]);
  await reloader?.stop();
  expect(checks.at(-1)?.ended).toBe(true);
});

test('npm start generates code on startup, and again until openapi.json is fixed', async () => {
  const { reload } = await start();
  expect(read('generated')).toBe('one');
  expect(String(await reload({ 'openapi.json': 'broken' }))).toContain('\npaths is missing\n');
  expect(String(await reload({ 'lambda/a.ts': 'two' }))).toContain('paths is missing');
  expect(await reload({ 'openapi.json': 'two' })).toEqual([RELOADED]);
  expect(read('generated')).toBe('two');
});

test('npm start keeps the stack of a bug, at the start and after a save', async () => {
  await expect(start('bug')).rejects.toThrow(TypeError);
  await reloader?.stop();
  const { reload } = await start();
  expect(String(await reload({ 'lambda/a.ts': 'bug' }))).toMatch(
    /^TypeError: bug\n +at .*reload\.test\.ts:\d+/,
  );
});
