import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT } from '../support/code-blocks.ts';

const { schemas } = JSON.parse(readFileSync(join(PROJECT, 'openapi.json'), 'utf8')).components;

test('the README has a row for each field of a NewPlant, and says which are required', () => {
  const [, table = ''] =
    /\n\| field \| type \| \|\n\|---\|---\|---\|\n((?:\|.*\n)+)/.exec(
      readFileSync(join(PROJECT, 'README.md'), 'utf8'),
    ) ?? [];
  const rows = table.matchAll(/^\| `(?<field>\w+)` \|.*\| (?<need>required|optional)/gm);
  const said = [...rows].map(({ groups }) => [groups?.field, groups?.need]);

  const { required, properties } = schemas.NewPlant;
  const fields = Object.keys(properties).map((name) => [
    name,
    required.includes(name) ? 'required' : 'optional',
  ]);
  expect(said.sort()).toEqual(fields.sort());
});
