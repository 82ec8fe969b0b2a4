import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

test('npm run bench names its variable, and measures nothing, given an option', () => {
  const bench = spawnSync(process.execPath, [join(import.meta.dirname, '../bench.ts'), '--rounds']);
  expect(bench.status).toBe(1);
  expect(`${bench.stderr}`).toContain('npm run bench has no options; set ROUNDS');
});
