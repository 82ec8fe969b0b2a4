import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';

jest.setTimeout(60_000);

const PROJECT = join(import.meta.dirname, '../..');
const GOOD = 'export const leaves: number = 1;\n';

/** A small repository with the hook, and a generator that finds files stale when it is told so. */
let repository: string;
beforeEach(() => {
  repository = mkdtempSync(join(tmpdir(), 'plant-store-hook-'));
  for (const path of ['.githooks/pre-commit', '.gitignore', 'biome.json', 'scripts/require-node.js']) {
    cpSync(join(PROJECT, path), join(repository, path));
  }
  mkdirSync(join(repository, 'node_modules'));
  symlinkSync(join(PROJECT, 'node_modules/.bin'), join(repository, 'node_modules/.bin'));
  write(
    'tsconfig.json',
    '{ "compilerOptions": { "strict": true, "noEmit": true, "types": [] }, "include": ["lib"] }',
  );
  write(
    'scripts/generate.ts',
    "import { existsSync } from 'node:fs';\n\nif (existsSync('stale')) throw new Error('something is stale');\n",
  );
  git('init', '--quiet');
  git('config', 'core.hooksPath', '.githooks');
});
afterEach(() => rmSync(repository, { recursive: true }));

test('what is staged is committed if it is as it should be, whatever is not staged', () => {
  write('lib/draft.ts', 'export  const draft = 1\n');
  stage('lib/plant.ts', GOOD);
  expect(commit()).toEqual([0, expect.not.stringContaining('Not committed')]);

  // A page has no types.
  write('lib/draft.ts', "export const draft: number = 'one';\n");
  stage('README.md', '# Plants\n');
  expect(commit()).toEqual([0, expect.not.stringContaining('Not committed')]);
});

test('code is not committed with anything wrong, and all of that is named', () => {
  write('stale', '');
  stage('lib/lint.ts', 'export const leaves: any = 1;\n');
  stage('lib/format.ts', 'export  const roots = 1\n');
  stage('lib/types.ts', "export const stems: number = 'one';\n");
  const [status, said] = commit();

  expect(status).toBe(1);
  for (const complaint of ['noExplicitAny', 'lib/format.ts format', 'TS2322', 'something is stale']) {
    expect(said).toContain(complaint);
  }
  expect(said).toContain('Not committed: fix what is named above');
});

test.each([
  ['its format', 'lib/plant.ts', 'export  const leaves = 1\n'],
  ['its types', 'lib/plant.ts', "export const leaves: number = 'one';\n"],
  ['what is generated', 'stale', ''],
])('%s alone stops it', (_, file, content) => {
  stage('lib/plant.ts', GOOD);
  stage(file, content);
  expect(commit()).toEqual([1, expect.stringContaining('Not committed')]);
});

function write(path: string, content: string): void {
  mkdirSync(dirname(join(repository, path)), { recursive: true });
  writeFileSync(join(repository, path), content);
}

function stage(path: string, content: string): void {
  write(path, content);
  git('add', path);
}

/** @returns its exit status and all that it said */
function commit(): [number | null, string] {
  return git('-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '--message', 'plant');
}

function git(...args: string[]): [number | null, string] {
  const { status, stdout, stderr } = spawnSync('git', args, {
    cwd: repository,
    // Not those that a git above this test has set, which name its own repository.
    env: { PATH: process.env.PATH, HOME: repository },
    encoding: 'utf8',
  });
  return [status, stdout + stderr];
}
