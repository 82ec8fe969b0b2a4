import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT, read } from '../support/pages/code-blocks.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { readWorkflow } from './workflow-files.ts';

const { scripts } = JSON.parse(read('package.json'));

test('CI runs .ci/run for each pull request and push to main, and ignores no failure', () => {
  const { on, concurrency, jobs } = readWorkflow('.github/workflows/ci.yml');
  expect(on).toEqual({ push: { branches: ['main'] }, pull_request: null });
  // Otherwise, a push would cancel the runs of other branches.
  expect(concurrency?.group).toContain('github.ref');
  const job = Object.values(jobs).find(({ steps }) => steps.at(-1)?.run === '.ci/run');
  expect(job).toBeDefined();
  expect(JSON.stringify(job)).not.toMatch(/"(if|continue-on-error)":/);
  // Only with the history can npm run check:openapi compare with the last release.
  const checkout = job?.steps.find(({ uses }) => uses?.startsWith('actions/checkout@'));
  expect(checkout?.with).toMatchObject({ 'fetch-depth': 0 });
  const wordsOf = (command: string) => new Set(command.split(' '));
  expect(scripts.test).toBe('jest');
  expect(wordsOf(scripts['test:coverage'])).toEqual(wordsOf('jest in-process --coverage'));
  expect(wordsOf(scripts.audit)).toEqual(wordsOf('npm audit --omit=dev --audit-level=high'));
  expect(JSON.stringify(scripts)).not.toContain('||');
});

/** Writes executable scripts into the folder. */
function stub(folder: string, scripts: Readonly<Record<string, string>>): void {
  for (const [file, code] of Object.entries(scripts))
    writeFileSync(join(folder, file), `#!/bin/sh\n${code}\n`, { mode: 0o755 });
}

test('.ci/run fails if one of its npm commands fails', () => {
  const cwd = temporaryFolder();
  cpSync(join(PROJECT, '.ci/run'), join(cwd, '.ci/run'));
  stub(cwd, {
    '.ci/install-browser': '',
    // The argument with spaces is the command.
    script: 'for arg; do case $arg in *" "*) sh -c "$arg" || exit; esac; done',
    // Adds the number of random cases, if it is set.
    npm: 'set -- "$*" $CASES; echo "npm $*"; test "$*" != "$FAILS"',
  });
  const run = (FAILS: string) => {
    const env = { PATH: `${cwd}:${process.env.PATH}`, FAILS };
    return spawnSync('bash', ['.ci/run'], { cwd, env, encoding: 'utf8' });
  };
  const commands = run('').stdout.match(/(?<=^npm ).*/gm) ?? [];
  const checks = Object.keys(scripts).filter((name) =>
    /^(lint|audit|check:openapi|test:.*)$/.test(name),
  );
  const needed = ['ci', 'test', ...checks.map((name) => `run ${name}`)];
  expect(commands).toEqual(expect.arrayContaining(needed));
  const withoutCases = commands.filter((command) => /(property|failures)$/.test(command));
  expect(withoutCases).toEqual([]);
  expect(commands.filter((command) => run(command).status === 0)).toEqual([]);
});

test('the hook rejects a commit if the format, the types or the generated files are wrong', () => {
  const cwd = temporaryFolder();
  mkdirSync(join(cwd, 'node_modules/.bin'), { recursive: true });
  const check = 'test "$(basename "$0") $*" != "$FAILS" && echo "$(basename "$0") $*"';
  stub(cwd, {
    'node_modules/.bin/biome': check,
    'node_modules/.bin/tsc': check,
    'node_modules/.bin/node': check,
    // Code is staged.
    'node_modules/.bin/git': 'test "$1" = diff && exit 1; pwd',
  });
  const run = (FAILS: string) => {
    const env = { PATH: `${cwd}/node_modules/.bin:${process.env.PATH}`, FAILS };
    return spawnSync(join(PROJECT, '.githooks/pre-commit'), { cwd, env, encoding: 'utf8' });
  };
  const { status, stdout } = run('');
  const checks = stdout.trim().split('\n').sort();
  expect([status, checks]).toEqual([
    0,
    [
      expect.stringMatching(/^biome check .*--no-errors-on-unmatched/),
      expect.stringMatching(/^node .* bin\/generate\.ts --check$/),
      'node bin/require-node.js',
      expect.stringMatching(/^tsc /),
    ],
  ]);
  expect(checks.filter((each) => run(each).status === 0)).toEqual([]);
});

test('Dependabot waits for a week before it updates to a new release', () => {
  const { updates } = readWorkflow('.github/dependabot.yml');
  expect(updates?.map(({ cooldown }) => cooldown)).toEqual(Array(2).fill({ 'default-days': 7 }));
});
