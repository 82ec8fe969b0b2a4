import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT } from '../support/code-blocks.ts';
import { type Failure, frontEndResponses } from '../support/failures.ts';

const { schemas } = JSON.parse(readPage('openapi.json')).components;

test('the README lists every field of NewPlant as required or optional, as openapi.json does', () => {
  const [, table = ''] =
    /\n\| field \| type \| \|\n\|---\|---\|---\|\n((?:\|.*\n)+)/.exec(readPage('README.md')) ?? [];
  const rows = table.matchAll(/^\| `(?<field>\w+)` \|.*\| (?<need>required|optional)/gm);
  const listed = [...rows].map(({ groups }) => [groups?.field, groups?.need]);

  const { required, properties } = schemas.NewPlant;
  const fields = Object.keys(properties).map((name) => [
    name,
    required.includes(name) ? 'required' : 'optional',
  ]);
  expect(listed.sort()).toEqual(fields.sort());
});

test('docs/errors.md lists exactly the responses from AWS’s front end that the client tests use', () => {
  const rows = [
    ...readPage('docs/errors.md').matchAll(/^\| (?<status>\dxx|\d{3}) \| (?<body>[^|]+) \|/gm),
  ].map(({ groups: { status = '', body = '' } = {} }) => ({ status, body }));
  const untested = rows.filter((row) => !frontEndResponses.some((response) => describes(row, response)));
  const unlisted = frontEndResponses.filter((response) => !rows.some((row) => describes(row, response)));
  expect({ rows: rows.length, untested, unlisted }).toEqual({ rows: 5, untested: [], unlisted: [] });
});

/** Whether a row of the page's table describes a response. If the row's body is only code, it must match exactly. */
function describes(row: { status: string; body: string }, { status, body }: Failure): boolean {
  const exactBody = /^`([^`]*)`$/.exec(row.body)?.[1] ?? body;
  return new RegExp(`^${row.status.replaceAll('x', '\\d')}$`).test(`${status}`) && exactBody === body;
}

function readPage(page: string): string {
  return readFileSync(join(PROJECT, page), 'utf8');
}
