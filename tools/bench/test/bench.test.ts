import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

test('npm run bench measures our functions, a usual build of each, and a hand-written createPlant', () => {
  const env = { ...process.env, ROUNDS: '1' };
  const printed = execFileSync(process.execPath, [join(import.meta.dirname, '../bench.ts')], {
    env,
  });
  expect(
    String(printed).match(/(create-plant|authorize|usual|hand-written) +│ +\d+/g),
  ).toHaveLength(5);
});
