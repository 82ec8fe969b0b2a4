import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const PROJECT = join(import.meta.dirname, '../..');

test('npm run lint:prose fails if a page contains a phrase from .prh.yml, and prints the phrase and its line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plant-store-prose-'));
  copyFileSync(join(PROJECT, '.prh.yml'), join(folder, '.prh.yml'));
  // The phrases are split, so that this file does not contain them.
  writeFileSync(
    join(folder, 'page.md'),
    ['`a table of', 'its own`\n\nFaults: 0.5', '% of the requests.\n'].join(' '),
  );
  const script = join(PROJECT, 'bin/lint-prose.ts');
  const { status, stderr } = spawnSync(process.execPath, [script], { cwd: folder, encoding: 'utf8' });
  expect([status, stderr.trim()]).toEqual([1, ['page.md:3: "5', '%"; write: 5%'].join(' ')]);
  rmSync(folder, { recursive: true });
});
