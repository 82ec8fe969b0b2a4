import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT } from '../../../test/support/pages/code-blocks.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { readWorkflow } from './workflow-files.ts';

const { scripts } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'));

test('CI runs .ci/run for each pull request and push to main, and ignores no failure', () => {
  const { on, jobs } = readWorkflow('.github/workflows/ci.yml');
  expect(on).toEqual({ push: { branches: ['main'] }, pull_request: null });
  expect(jobs.all?.steps.at(-1)?.run).toBe('.ci/run');
  expect(JSON.stringify(jobs.all)).not.toMatch(/"(if|continue-on-error)":/);
  expect(scripts).toMatchObject({ test: 'jest', 'test:coverage': 'jest in-process --coverage' });
  expect(JSON.stringify(scripts)).not.toContain('||');
});

test('.ci/run fails if one of its npm commands fails', () => {
  const cwd = temporaryFolder();
  cpSync(join(PROJECT, '.ci/run'), join(cwd, '.ci/run'));
  const stubs = {
    '.ci/install-browser': '',
    script: 'sh -c "$4"',
    npm: 'echo "npm $*"; test "$*" != "$FAILS"',
  };
  for (const [file, code] of Object.entries(stubs))
    writeFileSync(join(cwd, file), `#!/bin/sh\n${code}\n`, { mode: 0o755 });
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
  expect(commands.filter((command) => run(command).status === 0)).toEqual([]);
});
