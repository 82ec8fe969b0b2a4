import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT } from '../support/code-blocks.ts';

const { schemas } = JSON.parse(readFileSync(join(PROJECT, 'openapi.json'), 'utf8')).components;

test('the README lists each field of NewPlant as required or optional, as openapi.json does', () => {
  const [, table = ''] =
    /\n\| field \| type \| \|\n\|---\|---\|---\|\n((?:\|.*\n)+)/.exec(
      readFileSync(join(PROJECT, 'README.md'), 'utf8'),
    ) ?? [];
  const rows = table.matchAll(/^\| `(?<field>\w+)` \|.*\| (?<need>required|optional)/gm);
  const listed = [...rows].map(({ groups }) => [groups?.field, groups?.need]);

  const { required, properties } = schemas.NewPlant;
  const fields = Object.keys(properties).map((name) => [
    name,
    required.includes(name) ? 'required' : 'optional',
  ]);
  expect(listed.sort()).toEqual(fields.sort());
});
