import { execFile } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, jest, test } from '@jest/globals';
import { codeBlocks, PROJECT } from '../support/code-blocks.ts';

// Half a minute on two cores that do nothing else.
jest.setTimeout(300_000);

const PAGE = 'docs/add-an-operation.md';
const page = readFileSync(join(PROJECT, PAGE), 'utf8');
const patches = globSync('docs/add-an-operation/*.patch', { cwd: PROJECT }).sort();
const steps = patches.map((path) => ({ path, patch: readFileSync(join(PROJECT, path), 'utf8') }));

/** The lines that a patch adds, as one string. */
const added = (patch: string) =>
  [...patch.matchAll(/^\+(?!\+\+ )(.*)$/gm)].map(([, line]) => line).join('\n');

const copy = mkdtempSync(join(tmpdir(), 'plant-store-add-an-operation-'));
afterAll(() => rmSync(copy, { recursive: true }));

async function run(command: string, ...args: readonly string[]): Promise<void> {
  try {
    await promisify(execFile)(command, args, { cwd: copy, maxBuffer: 2 ** 26 });
  } catch (error) {
    const { stdout = '', stderr = '' } = Object(error);
    throw new Error(`${[command, ...args].join(' ')} failed:\n${stdout}${stderr}`);
  }
}

/** Runs a command of a package, by the path of its script. */
const runScript = (script: string, ...args: readonly string[]) => run(process.execPath, script, ...args);

describe('docs/add-an-operation.md', () => {
  test('has every step in a patch, and the code of each patch that is not a test', () => {
    expect([...page.matchAll(/^## (\d)\. /gm)].map(([, number]) => number)).toEqual(
      steps.map(({ path }) => path.match(/(\d)-\w+\.patch$/)?.[1]),
    );
    const shown = codeBlocks(PAGE).filter(({ language }) => ['ts', 'md'].includes(language));
    const all = steps.map(({ patch }) => added(patch)).join('\n');
    expect(shown.filter(({ code }) => !all.includes(code.trimEnd()))).toEqual([]);

    const sources = steps.flatMap(({ patch }) => patch.match(/^\+\+\+ b\/lambda\/get-plant\/.*$/gm) ?? []);
    for (const source of sources) expect(page).toContain(`\`${source.slice('+++ b/'.length)}\``);
  });

  test('changes fewer than six files outside of the folder and the tests of the operation', () => {
    const files = steps.flatMap(({ patch }) =>
      [...patch.matchAll(/^\+\+\+ b\/(.*)$/gm)].map(([, file]) => file),
    );
    const others = files.filter((file) => !/(^lambda\/|\/)get-plant/.test(`${file}`));
    expect(others.length).toBeLessThan(6);
    for (const file of others) expect(page).toContain(`\`${file}\``);
  });
});

test('a copy of the repository compiles, and passes the linters and the tests of every step, when it has the patches', async () => {
  const ignored = readFileSync(join(PROJECT, '.gitignore'), 'utf8').trim().split(/\/?\n/);
  const isCopied = (path: string) => !['.git', ...ignored].includes(relative(PROJECT, path));
  cpSync(PROJECT, copy, { recursive: true, filter: isCopied });
  symlinkSync(join(PROJECT, 'node_modules'), join(copy, 'node_modules'), 'junction');
  for (const path of patches) await run('git', 'apply', path);
  await runScript('scripts/generate.ts');

  const tests = [...page.matchAll(/^npm test -- (.*)$/gm)].flatMap(([, paths = '']) => paths.split(' '));
  expect(tests.length).toBeGreaterThan(steps.length);
  await Promise.all([
    runScript('node_modules/typescript/bin/tsc'),
    runScript('node_modules/@biomejs/biome/bin/biome', 'ci', '.'),
    runScript('node_modules/@redocly/cli/bin/cli.js', 'lint', 'openapi.json'),
    // One of them synthesizes the copy and starts it.
    runScript('node_modules/jest/bin/jest.js', '--maxWorkers', '1', ...tests),
  ]);
});
