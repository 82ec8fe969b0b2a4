import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

test('the generated files are those that openapi.json now gives', async () => {
  const project = join(import.meta.dirname, '../..');
  const generate = promisify(execFile)(process.execPath, ['scripts/generate.ts', '--check'], {
    cwd: project,
  });
  await expect(generate).resolves.toMatchObject({ stderr: '' });
});
