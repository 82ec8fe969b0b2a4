/**
 * `npm run check:openapi`: fails if openapi.json has a change that breaks clients and that CHANGELOG.md does not list.
 * Compares openapi.json with the last release or, before the first release, with the commit at which the branch left
 * main. To compare with a different commit, pass that commit as an argument.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { breakingChanges } from '../tools/generate/breaking-changes.ts';

const base =
  process.argv[2] ??
  git('describe', '--tags', '--abbrev=0') ??
  git('merge-base', 'HEAD', 'origin/main') ??
  'HEAD';
const released = git('show', `${base}:openapi.json`);
if (released === undefined) {
  console.error(`the commit ${base} has no openapi.json; pass a different commit as an argument`);
  process.exit(1);
}
const changelog = readFileSync('CHANGELOG.md', 'utf8');
const changes = breakingChanges(released, readFileSync('openapi.json', 'utf8'));
const unlisted = changes.filter((change) => !changelog.includes(`\`${change}\``));
for (const change of unlisted) {
  console.error(
    `openapi.json breaks clients: \`${change}\`; revert this change, or list it in CHANGELOG.md exactly as quoted`,
  );
}
if (unlisted.length > 0) process.exitCode = 1;
else {
  const listed = changes.length === 0 ? 'none' : `${changes.length}, all listed in CHANGELOG.md`;
  console.log(`openapi.json: breaking changes since ${base}: ${listed}.`);
}

function git(...args: string[]): string | undefined {
  try {
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
}
