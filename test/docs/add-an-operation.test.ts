import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, jest, test } from '@jest/globals';
import { codeBlocks, PROJECT } from '../support/code-blocks.ts';
import { copyProject } from '../support/edited-project.ts';

// Half a minute on two cores that do nothing else.
jest.setTimeout(300_000);

const PAGE = 'docs/add-an-operation.md';
const page = readFileSync(join(PROJECT, PAGE), 'utf8');
const patches = globSync('docs/add-an-operation/*.patch', { cwd: PROJECT }).sort();
const changes = patches
  .flatMap((path) =>
    readFileSync(join(PROJECT, path), 'utf8')
      .split(/^diff --git /m)
      .slice(1),
  )
  .map((change) => ({
    name: change.match(/^\+\+\+ b\/(.*)$/m)?.[1] ?? '',
    lines: change.match(/^[+-](?!\+\+ |-- )/gm)?.length ?? 0,
    /** What each hunk adds. */
    added: change
      .split(/^@@ .*\n/m)
      .slice(1)
      .map((hunk) =>
        [...hunk.matchAll(/^\+(.*)$/gm)]
          .map(([, line]) => line)
          .join('\n')
          .trimEnd(),
      ),
  }));

const copy = copyProject();
afterAll(copy.remove);

async function run(command: string, ...args: readonly string[]): Promise<void> {
  try {
    await promisify(execFile)(command, args, { cwd: copy.folder, maxBuffer: 2 ** 26 });
  } catch (error) {
    const output =
      error instanceof Error && 'stdout' in error && 'stderr' in error
        ? `${error.stdout}${error.stderr}`
        : error;
    throw new Error(`${[command, ...args].join(' ')} failed:\n${output}`);
  }
}

/** Runs a command of a package, by the path of its script. */
const runScript = (script: string, ...args: readonly string[]) => run(process.execPath, script, ...args);

describe('docs/add-an-operation.md', () => {
  test('has a patch for each step, and shows all of its code but the tests', () => {
    expect([...page.matchAll(/^## (\d)\. /gm)].map(([, number]) => number)).toEqual(
      patches.map((path) => path.match(/(\d)-\w+\.patch$/)?.[1]),
    );
    const shown = codeBlocks(PAGE).filter(({ language }) => ['json', 'md', 'ts'].includes(language));
    const code = changes.filter(({ name }) => !name.startsWith('test/')).flatMap(({ added }) => added);
    expect(shown.map((block) => block.code.trimEnd()).sort()).toEqual(code.sort());
  });

  test('changes fewer than six files outside of the folder and the tests of the operation, and counts their lines', () => {
    const others = changes.filter(({ name }) => !/(^lambda\/|\/)get-plant/.test(name));
    expect(others.length).toBeLessThan(6);
    for (const { name } of others) expect(page).toContain(`\`${name}\``);

    const lines = others.reduce((sum, file) => sum + file.lines, 0);
    const inContract = others.find(({ name }) => name === 'openapi.json')?.lines;
    expect(page).toContain(`${lines} lines, ${inContract} of them in \`openapi.json\``);
  });
});

test('a copy of the repository compiles, and passes the linters and the tests of every step, when it has the patches', async () => {
  for (const path of patches) await run('git', 'apply', path);
  await runScript('bin/generate.ts');

  const tests = [...page.matchAll(/^npm test -- (.*)$/gm)].flatMap(([, paths = '']) => paths.split(' '));
  expect(tests.length).toBeGreaterThan(patches.length);
  // They read what the patches change.
  tests.push('test/template/authorizer-options.test.ts', 'test/template/roles.test.ts');
  tests.push('tools/generate/test/openapi-changes.test.ts', 'test/docs/proven-in-aws.test.ts');
  await Promise.all([
    runScript('node_modules/@typescript/native/bin/tsc'),
    runScript('node_modules/@biomejs/biome/bin/biome', 'ci', '.'),
    runScript('node_modules/@redocly/cli/bin/cli.js', 'lint', 'openapi.json'),
    // One of them synthesizes the copy and starts it.
    runScript('node_modules/jest/bin/jest.js', '--maxWorkers', '1', ...tests),
  ]);
});
