import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';

test('npm run bench measures our functions and a usual build of each', () => {
  const env = { ...process.env, ROUNDS: '1' };
  const printed = execFileSync(process.execPath, [join(import.meta.dirname, '../bench.ts')], { env });
  expect(String(printed).match(/(create-plant|authorize|usual) +│ +\d+/g)).toHaveLength(4);
});
