import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { checkedOutCommit } from '../../lib/checked-out-commit.ts';
import { synthesizedAssembly, TEMPLATE_FILE } from '../support/assembly/synthesized-assembly.ts';
import { PROJECT } from '../support/pages/code-blocks.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('the app passes the checked-out commit to its stack', () => {
  const template = JSON.parse(readFileSync(join(synthesizedAssembly(), TEMPLATE_FILE), 'utf8'));
  const [commit] = checkedOutCommit(PROJECT).split('-');
  expect(template.Outputs.Commit.Value.split('-')[0]).toBe(commit);
});

test('checkedOutCommit returns the commit, marks edited files, and returns unknown without a repository', () => {
  const folder = temporaryFolder();
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a', ...args], {
      cwd: folder,
      encoding: 'utf8',
    });
  expect(checkedOutCommit(folder)).toBe('unknown');
  writeFileSync(join(folder, 'file'), 'committed');
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--no-verify', '--message=a');
  git('tag', '--message=a', 'a');
  const commit = git('rev-parse', 'HEAD').trim();
  expect(checkedOutCommit(folder)).toBe(commit);
  writeFileSync(join(folder, 'file'), 'edited');
  expect(checkedOutCommit(folder)).toBe(`${commit}-dirty`);
});
