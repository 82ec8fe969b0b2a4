import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { checkedOutCommit } from '../../lib/checked-out-commit.ts';

test('checkedOutCommit returns the commit, marks edited files, and returns unknown without a repository', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plant-store-commit-'));
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a', ...args], {
      cwd: folder,
      encoding: 'utf8',
    });
  try {
    expect(checkedOutCommit(folder)).toBe('unknown');
    writeFileSync(join(folder, 'file'), 'committed');
    git('init', '--quiet');
    git('add', '.');
    git('commit', '--quiet', '--no-verify', '--message=a');
    const commit = git('rev-parse', 'HEAD').trim();
    expect(checkedOutCommit(folder)).toBe(commit);
    writeFileSync(join(folder, 'file'), 'edited');
    expect(checkedOutCommit(folder)).toBe(`${commit}-dirty`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
