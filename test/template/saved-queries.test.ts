import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { operations } from '../../lib/operations.ts';
import { type Json, ofType, readable, stackResources } from '../support/template-resources.ts';
import { everyOptionOfProd } from './option-combinations.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8');

/** The names that docs/operations.md uses for the log groups. */
const LOGS: Readonly<Record<string, string>> = {
  ApiAccessLog: 'access',
  ...Object.fromEntries(operations.map(({ id }) => [`${id}Log`, 'operations'])),
  AuthorizeFunctionLog: 'authorizer',
  AuthorizeOidcFunctionLog: 'authorizer',
};

function logsOf({ LogGroupNames }: Json): string {
  const names = new Set(LogGroupNames.map((group: Json) => LOGS[readable(group)] ?? readable(group)));
  return names.size === 3 ? 'all' : [...names].join(', ');
}

describe.each([
  ['dev', {}],
  ['prod with every option', everyOptionOfProd],
])('the saved queries of %s', (name, options) => {
  const resources = stackResources(options);
  const saved = ofType(resources, 'AWS::Logs::QueryDefinition').map(({ Properties }) => Properties);

  test('match the table in docs/operations.md, and query the logs that the table names', () => {
    const [, table = ''] = page.match(/\| query \| logs \|\n(.*?)\n\n/s) ?? [];
    const rows = table
      .split('\n')
      .slice(1)
      .map((row) => row.split('|').map((cell) => cell.trim()));
    const folder = `PlantStore-${name.split(' ')[0]}`;
    expect(saved.map((query) => [query.Name, logsOf(query)])).toEqual(
      rows.map(([, query, logs]) => [`${folder}/${query}`, logs]),
    );
  });

  test('include every query that docs/operations.md shows or names', () => {
    const sections = page.slice(page.indexOf('\n## Tokens'));
    const queries = [...sections.matchAll(/^(?:filter|stats) .*$/gm)].map(([line]) => line);
    expect(queries).not.toEqual([]);
    const texts = saved.map(({ QueryString }) => QueryString);
    expect(queries.filter((query) => !texts.includes(query))).toEqual([]);
    const named = [...page.matchAll(/\bquery `([^`]+)`/gi)].map(([, query]) => query);
    expect(named.length).toBeGreaterThan(8);
    const names = saved.map(({ Name }) => Name.split('/')[1]);
    expect(named.filter((query) => !names.includes(query))).toEqual([]);
  });

  test('count only faults in the query Faults, not the line without `error` that Lambda adds for a rejected token', () => {
    const faults = saved.find(({ Name }) => Name.endsWith('/Faults'));
    expect(faults?.QueryString).toMatch(/^filter level = "ERROR" and ispresent\(error\) \| stats count\(\)/);
  });

  test('show the largest count first', () => {
    const counting = saved.map(({ QueryString }) => QueryString).filter((query) => query.includes('count()'));
    expect(counting.length).toBeGreaterThan(5);
    for (const query of counting) expect(query).toMatch(/stats count\(\) as total by .* \| sort total desc$/);
  });

  test('use only existing fields if they query the access log', () => {
    const [stage] = ofType(resources, 'AWS::ApiGateway::Stage');
    const fields = Object.keys(JSON.parse(stage?.Properties.AccessLogSetting.Format));
    const onAccessLog = saved.filter((query) => logsOf(query) === 'access');
    const words = onAccessLog.flatMap(({ QueryString }) =>
      QueryString.replaceAll(/"[^"]*"|\w+\(\d+m\)|\w+\(\)|bin\(\w+\)/g, '').match(/[a-z]\w+/gi),
    );
    const keywords = ['filter', 'stats', 'as', 'total', 'by', 'in', 'pct', 'sort', 'desc'];
    expect(words.filter((word) => !keywords.includes(word) && !fields.includes(word))).toEqual([]);
  });
});
