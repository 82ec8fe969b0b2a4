import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { gatewayErrors, operationErrors } from '../../lambda/shared/errors.ts';
import { operations } from '../../lib/operations.ts';
import { usage } from '../../tools/conformance/cli.ts';
import { ID_RANGE } from '../../tools/conformance/report.ts';
import { manual, subjects } from '../../tools/conformance/rows/index.ts';
import { PROJECT } from '../support/code-blocks.ts';

const page = readFileSync(join(PROJECT, 'docs/verified.md'), 'utf8');
const rows = subjects.flatMap((subject) => subject.rows);

describe('verified.md', () => {
  test('describes every question that must be answered by hand', () => {
    expect(manual.filter((question) => !page.includes(`\n| ${question} |`))).toEqual([]);
  });

  test('names only options, files and folders that exist', () => {
    const [options = [], paths = []] = [/--[a-z]+/g, /(?<![\w/])(?:test|docs|lambda|tools)\/[\w./-]*/g].map(
      (pattern) => [...new Set(page.match(pattern))],
    );
    expect(options).toEqual(expect.arrayContaining(['--stage', '--url']));
    expect(options.filter((option) => !usage.includes(`  ${option} `))).toEqual([]);
    expect(paths.filter((path) => !existsSync(join(PROJECT, path)))).toEqual([]);
  });

  test('says that the service has not run in AWS until there is a report', () => {
    const reports = globSync('docs/verified/*.md', { cwd: PROJECT });
    expect(page.includes('has not run in AWS yet')).toBe(reports.length === 0);
  });

  test('states the ids of the plants that npm run conformance leaves behind', () => {
    expect(page.replaceAll('`', '')).toContain(ID_RANGE);
  });

  test('lists exactly the error codes that npm run conformance never expects', () => {
    const expected = rows.flatMap((row) =>
      'expected' in row ? [row.expected] : row.outcomes.map(([expectation]) => expectation),
    );
    const [{ clientErrors }] = operations;
    const { dynamodbFailed, unexpected } = operationErrors;
    const specs = [...clientErrors, dynamodbFailed, unexpected, ...Object.values(gatewayErrors)];
    const codes = [...new Set(specs.map(({ code }) => code))];
    const [, listed = ''] = /cannot be provoked from outside: ([\d, ]+\d)/.exec(page) ?? [];
    expect(listed.split(', ').map(Number)).toEqual(
      codes.filter((code) => expected.every(({ error }) => error !== code)),
    );
  });
});

test('first-day.md states the numbers of settled behaviors and open questions that npm run conformance prints', () => {
  const page = readFileSync(join(PROJECT, 'docs/first-day.md'), 'utf8');
  const settled = rows.filter((row) => 'expected' in row);
  const inProd = settled.filter((row) => row.inProd);
  // A custom domain's base URL contains no stage.
  const skipped = settled.filter((row) => row.needsStage);
  const linesIn = (text: string) => new Set(text.match(/^Settled behaviors: .*$/gm));
  const lineOf = (same: number, notSent = 0) =>
    new Set([`Settled behaviors: ${same} same, 0 different, ${notSent} skipped.`]);
  const [before = '', domain = '', prod = ''] = page.split(/^(?=## 1[12]\.)/m);
  expect(domain).toContain('BaseUrl = https://plants.example.com');
  expect(linesIn(before)).toEqual(lineOf(settled.length));
  expect(linesIn(domain)).toEqual(lineOf(settled.length - skipped.length, skipped.length));
  expect(inProd.filter((row) => row.needsStage)).toEqual([]);
  expect(linesIn(prod)).toEqual(lineOf(inProd.length));
  expect(page).toContain(
    `Open questions: ${rows.length - settled.length} foreseen responses, 0 unforeseen, ${manual.length} to check`,
  );
});
