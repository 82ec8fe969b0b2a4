import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { PROJECT } from '../../../test/support/code-blocks.ts';
import { openapi } from '../../../test/support/contract.ts';

const folder = mkdtempSync(join(tmpdir(), 'plant-store-openapi-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('npm run check:openapi fails if a change breaks clients and CHANGELOG.md does not list it', () => {
  const save = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], {
      cwd: folder,
    });
  const check = () => {
    const script = join(PROJECT, 'bin/check-openapi.ts');
    const { status, stdout } = spawnSync(process.execPath, [script], { cwd: folder, encoding: 'utf8' });
    return { status, stdout };
  };
  git('init', '--quiet');
  cpSync(join(PROJECT, 'openapi.json'), join(folder, 'openapi.json'));
  save('CHANGELOG.md', '# Changelog\n');
  git('add', '.');
  git('commit', '--quiet', '-m', 'Release');
  git('tag', '-m', '1.0.0', 'v1.0.0');
  expect(check().status).toBe(0);

  const after = structuredClone(openapi);
  delete after.paths['/plants'].post.responses['404'];
  save('openapi.json', JSON.stringify(after));
  expect(check()).toEqual({ status: 1, stdout: expect.stringContaining('removed the non-success response') });
  save('CHANGELOG.md', '- POST /plants: removed the non-success response with the status `404`\n');
  expect(check()).toEqual({ status: 1, stdout: expect.anything() });
  save('CHANGELOG.md', '- POST /plants removed the non-success response with the status `404`\n');
  expect(check().status).toBe(0);
});
