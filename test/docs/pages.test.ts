import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { gatewayErrors, operationErrors } from '../../lambda/shared/errors.ts';
import { operations } from '../../lib/operations.ts';
import { HELP, ID_RANGE } from '../../tools/conformance/cli.ts';
import { rows } from '../../tools/conformance/rows/index.ts';
import { PROJECT } from '../support/code-blocks.ts';
import { type Failure, frontEndResponses } from '../support/failures.ts';

const { schemas } = JSON.parse(readPage('openapi.json')).components;

test.each(['npm ci --omit=dev && npm start', 'npm ci && npm start', 'npm ci && npm test'])(
  'the README has the command line %s',
  (line) => {
    expect(readPage('README.md').split('\n')).toContain(line);
  },
);

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

describe('docs/verified.md', () => {
  const page = readPage('docs/verified.md');

  test('names only options, files and folders that exist', () => {
    const [options = [], paths = []] = [/--[a-z]+/g, /(?<![\w/])(?:test|docs|lambda|tools)\/[\w./-]*/g].map(
      (pattern) => [...new Set(page.match(pattern))],
    );
    expect(options).toEqual(expect.arrayContaining(['--stage', '--url']));
    expect(options.filter((option) => !HELP.includes(`  ${option} `))).toEqual([]);
    expect(paths.filter((path) => !existsSync(join(PROJECT, path)))).toEqual([]);
  });

  test('says that the service has not run in AWS until there is a report', () => {
    const reports = globSync('docs/verified/*.txt', { cwd: PROJECT });
    expect(page.includes('has not run in AWS yet')).toBe(reports.length === 0);
  });

  test('states the ids that npm run conformance leaves behind', () => {
    expect(page.replaceAll('`', '')).toContain(ID_RANGE);
  });

  test('lists exactly the error codes that npm run conformance never expects', () => {
    const expected = rows.flatMap((row) => row.expected ?? []);
    const [{ clientErrors }] = operations;
    const { dynamodbFailed, unexpected } = operationErrors;
    const specs = [...clientErrors, dynamodbFailed, unexpected, ...Object.values(gatewayErrors)];
    const codes = [...new Set(specs.map(({ code }) => code))];
    const [, listed = ''] = /No row expects these error codes: ([\d, ]+\d)/.exec(page) ?? [];
    expect(listed.split(', ').map(Number)).toEqual(
      codes.filter((code) => !expected.some(({ error }) => error === code)),
    );
  });
});

/** Whether a row of the page's table describes a response. If the row's body is only code, it must match exactly. */
function describes(row: { status: string; body: string }, { status, body }: Failure): boolean {
  const exactBody = /^`([^`]*)`$/.exec(row.body)?.[1] ?? body;
  return new RegExp(`^${row.status.replaceAll('x', '\\d')}$`).test(`${status}`) && exactBody === body;
}

function readPage(page: string): string {
  return readFileSync(join(PROJECT, page), 'utf8');
}
