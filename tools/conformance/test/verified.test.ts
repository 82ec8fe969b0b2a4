import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { gatewayErrors, operationErrors } from '../../../lambda/shared/errors.ts';
import { operations } from '../../../lib/operations.ts';
import { PROJECT } from '../../../test/support/code-blocks.ts';
import { HELP } from '../cli.ts';
import { rows } from '../rows/index.ts';

describe('docs/verified.md', () => {
  const page = readFileSync(join(PROJECT, 'docs/verified.md'), 'utf8');

  test('names only options of npm run conformance', () => {
    const options = [...new Set(page.match(/--[a-z]+/g))];
    expect(options).toEqual(expect.arrayContaining(['--stage', '--url']));
    expect(options.filter((option) => !HELP.includes(`  ${option} `))).toEqual([]);
  });

  test('says that the service has not run in AWS until there is a report', () => {
    const reports = globSync('docs/verified/*.txt', { cwd: PROJECT });
    expect(page.includes('has not run in AWS yet')).toBe(reports.length === 0);
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
