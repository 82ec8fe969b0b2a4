import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { gatewayErrors, operationErrors } from '../../../lambda/shared/errors.ts';
import { operations } from '../../../lib/operations.ts';
import { PROJECT } from '../../../test/support/code-blocks.ts';
import { HELP, ID_RANGE } from '../cli.ts';
import { rows } from '../rows/index.ts';

describe('docs/verified.md', () => {
  const page = readFileSync(join(PROJECT, 'docs/verified.md'), 'utf8');

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
