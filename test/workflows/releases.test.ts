import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { breakingChanges } from '../../scripts/breaking-changes.ts';
import { PROJECT } from '../support/code-blocks.ts';
import type { Json } from '../support/template-resources.ts';

const folder = mkdtempSync(join(tmpdir(), 'plant-store-releases-'));
afterAll(() => rmSync(folder, { recursive: true }));

const released = JSON.parse(readFileSync(join(PROJECT, 'openapi.json'), 'utf8'));
// Of createPlant alone, so that the expected changes are exact.
released.paths = { '/plants': released.paths['/plants'] };

function write(file: string, text: string): void {
  writeFileSync(join(folder, file), text);
}

function run(script: string, ...args: string[]) {
  return spawnSync(process.execPath, [join(PROJECT, 'scripts', script), ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
}

describe('npm run release:notes', () => {
  beforeEach(() =>
    write(
      'CHANGELOG.md',
      '# Changelog\n\n## [Unreleased]\n\n## [1.1.0] - 2026-12-01\n\n### Added\n\n- A tag.\n\n## [1.0.0]\n\n- All.\n\n[1.0.0]: https://git.example\n',
    ),
  );

  test.each([
    ['v1.1.0', '### Added\n\n- A tag.\n'],
    ['v1.0.0', '- All.\n'],
  ])('prints what the changelog has for %s', (tag, notes) => {
    const { status, stdout } = run('release-notes.ts', tag);
    expect([status, stdout]).toEqual([0, notes]);
  });

  test.each(['v1.1', 'v2.0.0', 'Unreleased', ''])('fails for the tag "%s", which has no entries', (tag) => {
    const { status, stdout, stderr } = run('release-notes.ts', tag);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(
      /^CHANGELOG\.md has no entries under "## \[.*\]": move those of Unreleased there\n$/,
    );
  });
});

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
    write('CHANGELOG.md', '# Changelog\n\n## [Unreleased]\n\n- Nothing.\n');
    const unlisted = run('openapi-changes.ts');
    expect([unlisted.status, unlisted.stderr]).toEqual([
      1,
      'openapi.json breaks clients: `remove paths//plants/post/responses/404`; revert it, or list it, as quoted, under Unreleased in CHANGELOG.md\n',
    ]);

    write('CHANGELOG.md', '## [Unreleased]\n\n- **Breaking**: `remove paths//plants/post/responses/404`.\n');
    const listed = run('openapi-changes.ts');
    expect([listed.status, listed.stdout]).toEqual([
      0,
      'openapi.json: 1 breaking changes since v1.0.0, all listed in CHANGELOG.md.\n',
    ]);
  });
});
