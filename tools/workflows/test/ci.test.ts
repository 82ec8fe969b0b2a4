import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT } from '../../../test/support/pages/code-blocks.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { readWorkflow } from './workflow-files.ts';

test('CI runs .ci/run for every pull request and every push to main, and cannot ignore a failure', () => {
  const { on, jobs } = readWorkflow('.github/workflows/ci.yml');
  expect(on).toEqual({ push: { branches: ['main'] }, pull_request: null });
  expect(jobs.all?.steps.at(-1)?.run).toBe('.ci/run');
  expect(JSON.stringify(jobs.all)).not.toMatch(/"(if|continue-on-error)":/);
  const { scripts } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'));
  expect(scripts).toMatchObject({ test: 'jest', 'test:coverage': 'jest in-process --coverage' });
  expect(Object.values(scripts).filter((script) => /\|\|/.test(`${script}`))).toEqual([]);
});

test('.ci/run fails if any of its npm commands fails', () => {
  const folder = temporaryFolder();
  const stub = (file: string, code: string) =>
    writeFileSync(join(folder, file), `#!/bin/sh\n${code}\n`, { mode: 0o755 });
  mkdirSync(join(folder, '.ci'));
  cpSync(join(PROJECT, '.ci/run'), join(folder, '.ci/run'));
  stub('.ci/install-browser', '');
  stub('script', 'sh -c "$4"');
  stub('npm', 'echo "npm $*" && test "$*" != "$FAILS"');
  const run = (FAILS: string) =>
    spawnSync('bash', ['.ci/run'], {
      cwd: folder,
      env: { PATH: `${folder}:${process.env.PATH}`, FAILS },
      encoding: 'utf8',
    });
  const { stdout } = run('');
  const commands = [...stdout.matchAll(/^npm (.*)$/gm)].map(([, command = '']) => command);
  const needed = ['ci', 'test', 'run lint', 'run audit', 'run test:coverage'];
  expect(commands).toEqual(expect.arrayContaining(needed));
  expect(commands.filter((command) => run(command).status === 0)).toEqual([]);
});
