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
  // The name of the check that docs/continuous-deployment.md requires.
  const job = jobs.all;
  expect(job?.steps.at(-1)?.run).toBe('.ci/run');
  expect(job?.steps.at(-2)?.run).toContain('safe.directory');
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

/** Copies a script into an empty folder, and returns a function that runs it with stubs of the programs that it needs. */
function withStubs(script: string, stubs: Readonly<Record<string, string>>) {
  const cwd = temporaryFolder();
  const bin = join(cwd, 'node_modules/.bin');
  mkdirSync(bin, { recursive: true });
  cpSync(join(PROJECT, script), join(cwd, script));
  for (const [file, code] of Object.entries(stubs))
    writeFileSync(join(bin, file), `#!/bin/sh\n${code}\n`, { mode: 0o755 });
  const PATH = `${bin}:${process.env.PATH}`;
  return (FAILS: string) =>
    spawnSync(join(cwd, script), {
      cwd,
      env: { PATH, FAILS, UNAUDITED_BECAUSE: '' },
      encoding: 'utf8',
    });
}

test('.ci/run fails if one of its npm commands fails', () => {
  const run = withStubs('.ci/run', {
    '../../.ci/install-browser': '',
    // The argument with spaces is the command, whose failure script ignores without --return.
    script:
      'for arg; do case $arg in --return) fails=1 ;; *" "*) sh -c "$arg" || exit $((fails)) ;; esac; done',
    // Adds the number of random cases, if it is set.
    npm: 'set -- "$*" $CASES; echo "npm $*"; test "$*" != "$FAILS" || ! echo audit endpoint returned an error',
  });
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
  const check = 'test "$(basename "$0") $*" != "$FAILS" && echo "$(basename "$0") $*"';
  // Only openapi.json is staged.
  const git = 'case "$*" in diff*.json*) exit 1; esac; pwd';
  const run = withStubs('.githooks/pre-commit', { biome: check, tsc: check, node: check, git });
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

test('security.yml scans public repositories, and pull requests for severe vulnerabilities', () => {
  const { jobs } = readWorkflow('.github/workflows/security.yml');
  for (const job of Object.values(jobs))
    expect(job.if).toContain('!github.event.repository.private');
  const review = jobs['dependency-review'];
  expect(review?.if).toContain("github.event_name == 'pull_request'");
  expect(review?.steps.at(-1)?.with).toEqual({ 'fail-on-severity': 'high' });
});

test('Dependabot waits for a week before it updates to a new release', () => {
  const { updates } = readWorkflow('.github/dependabot.yml');
  expect(updates?.map(({ cooldown }) => cooldown)).toEqual(Array(2).fill({ 'default-days': 7 }));
});
