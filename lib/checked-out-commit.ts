import { spawnSync } from 'node:child_process';

/**
 * Returns the commit that is checked out in a folder, with the suffix `-dirty` if a tracked file has been edited, or
 * `unknown` without git or a repository.
 */
export function checkedOutCommit(folder: string): string {
  const describe = ['describe', '--always', '--dirty', '--exclude=*', '--abbrev=40'];
  // Without its optional lock, git does not disturb a git command that the user runs at the same time.
  const { stdout } = spawnSync('git', ['--no-optional-locks', ...describe], {
    cwd: folder,
    encoding: 'utf8',
  });
  return stdout?.trim() || 'unknown';
}
