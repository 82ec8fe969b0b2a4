import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT } from '../../../test/support/pages/code-blocks.ts';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { createNote, fixtureContract } from './fixture-contract.ts';

const folder = temporaryFolder();
const save = (name: string, text: string) => writeFileSync(join(folder, name), text);
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], {
    cwd: folder,
  });

/** Runs `npm run check:openapi`. */
function check(changelog: string) {
  save('CHANGELOG.md', changelog);
  const script = join(PROJECT, 'bin/check-openapi.ts');
  const { status, stdout } = spawnSync(process.execPath, [script], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { status, stdout };
}

test('a change since the last release that breaks clients is reported, unless CHANGELOG.md lists it', () => {
  git('init', '--quiet');
  save('openapi.json', JSON.stringify(fixtureContract));
  git('add', '.');
  git('commit', '--quiet', '-m', 'Release');
  git('tag', 'v1.0.0');
  expect(check('')).toEqual({ status: 0, stdout: expect.any(String) });

  // Removing the 200 is an error, and, only because of .oasdiff-levels, removing the 404 is a warning.
  const paths = { '/notes': { post: { ...createNote, responses: {} } } };
  save('openapi.json', JSON.stringify({ ...fixtureContract, paths }));
  git('commit', '--quiet', '-am', 'Change');
  const rule = 'response-non-success-status-removed';
  const { status, stdout } = check('');
  expect([status, stdout]).toEqual([1, expect.stringContaining(rule)]);
  expect(check(stdout.replaceAll('/notes', '/notes:')).status).toBe(1);
  expect(check(stdout).status).toBe(0);

  // Before the first release, the base is on origin/main, because CI checks out no branch main.
  git('tag', '-d', 'v1.0.0');
  git('update-ref', 'refs/remotes/origin/main', 'HEAD~');
  expect(check('').stdout).toContain(rule);
});
