import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const PROJECT = join(import.meta.dirname, '../..');

test('npm run lint:prose prints each listed phrase of a page, with its line, and fails', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plant-store-prose-'));
  copyFileSync(join(PROJECT, '.prh.yml'), join(folder, '.prh.yml'));
  writeFileSync(
    join(folder, 'page.md'),
    `\`a table ${'of'} its own\`\n\nFaults: 0.5${' '}% of the requests.\n`,
  );
  const { status, stderr } = spawnSync(process.execPath, [join(PROJECT, 'bin/lint-prose.ts')], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([1, ['page.md:3: "5', '%"; write: 5%
'].join(' ')]);
  rmSync(folder, { recursive: true });
});
