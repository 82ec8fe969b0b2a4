import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

const BENCH = join(import.meta.dirname, '../bench.ts');

test.each([
  ['--help', 0],
  ['--rounds=1', 1],
])('npm run bench prints its help and measures nothing, given %s', (arg, status) => {
  const bench = spawnSync(process.execPath, [BENCH, arg], { encoding: 'utf8' });
  expect(bench).toMatchObject({ status, stdout: expect.stringContaining('ROUNDS') });
  expect(bench.stdout).not.toContain('medians');
});
