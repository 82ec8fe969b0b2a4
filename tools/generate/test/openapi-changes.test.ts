import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { PROJECT } from '../../../test/support/code-blocks.ts';
import type { Json } from '../../../test/support/template-resources.ts';
import { breakingChanges } from '../breaking-changes.ts';

const folder = mkdtempSync(join(tmpdir(), 'plant-store-openapi-'));
afterAll(() => rmSync(folder, { recursive: true }));

const released = JSON.parse(readFileSync(join(PROJECT, 'openapi.json'), 'utf8'));
// Of createPlant alone, so that the expected changes are exact.
released.paths = { '/plants': released.paths['/plants'] };

function write(file: string, text: string): void {
  writeFileSync(join(folder, file), text);
}

function checkOpenapi() {
  return spawnSync(process.execPath, [join(PROJECT, 'bin/check-openapi.ts')], {
    cwd: folder,
    encoding: 'utf8',
  });
}

describe('a change of openapi.json', () => {
  const operation = 'paths//plants/post';
  const body = `${operation}/requestBody/content/application/json/schema`;
  const plant = `${operation}/responses/200/content/application/json/schema`;

  test.each<[string, (openapi: Json) => void, string[]]>([
    ['none', () => {}, []],
    [
      'an optional field',
      ({ components: { schemas } }) =>
        Object.assign(schemas.NewPlant.properties, { origin: { type: 'string' } }),
      [],
    ],
    [
      'a field that is now required',
      ({ components: { schemas } }) => schemas.NewPlant.required.push('tag'),
      [`add ${body}/required/2`],
    ],
    [
      'a response without a field',
      ({ components: { schemas } }) => {
        schemas.NewPlant.properties.tag = { type: 'string' };
        delete schemas.Plant.properties.tag;
      },
      [`remove ${plant}/properties/tag`],
    ],
  ])('breaks clients or not: %s', (_change, change, expected) => {
    const after = structuredClone(released);
    change(after);
    expect(breakingChanges(released, after)).toEqual(expected);
  });

  test('fails npm run check:openapi if it breaks clients and the changelog does not list it', () => {
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', ...args], {
        cwd: folder,
        stdio: 'ignore',
      });
    git('init');
    write('openapi.json', JSON.stringify(released));
    git('add', 'openapi.json');
    git('commit', '-m', 'Release');
    git('tag', '-m', '1.0.0', 'v1.0.0');
    const after = structuredClone(released);
    delete after.paths['/plants'].post.responses['404'];
    write('openapi.json', JSON.stringify(after));
    git('commit', '-am', 'Break');
    write('CHANGELOG.md', '# Changelog\n\n- Nothing.\n');
    const unlisted = checkOpenapi();
    expect([unlisted.status, unlisted.stderr]).toEqual([
      1,
      'openapi.json breaks clients: `remove paths//plants/post/responses/404`; revert it, or list it, as quoted, in CHANGELOG.md\n',
    ]);

    write('CHANGELOG.md', '- **Breaking**: `remove paths//plants/post/responses/404`.\n');
    const listed = checkOpenapi();
    expect([listed.status, listed.stdout]).toEqual([
      0,
      'openapi.json: 1 breaking changes since v1.0.0, all listed in CHANGELOG.md.\n',
    ]);
  });
});
