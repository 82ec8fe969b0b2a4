import { expect, jest, test } from '@jest/globals';
import { requestLog } from '../../lambda/shared/log/request-log.ts';
import { listOperations } from '../../lib/operations.ts';
import { noteEvent, noteHandler } from '../in-process/lambda/fixture-operation.ts';
import { stackResources } from '../support/assembly/stack-template.ts';
import { type Json, ofType, readable } from '../support/assembly/template-resources.ts';
import { lambdaContext } from '../support/lambda-context.ts';
import { read } from '../support/pages/code-blocks.ts';
import { everyOptionOfProd } from './option-combinations.ts';

const resources = stackResources({ stage: 'prod' });
const queries = ofType(resources, 'AWS::Logs::QueryDefinition').map(({ Properties }) => Properties);
const queryNamed = (name = ''): string =>
  queries.find(({ Name }) => Name.endsWith(`/${name}`))?.QueryString;

test('the pages and alarms name exactly the saved queries', () => {
  const pages = [read('docs/runbook.md'), read('docs/operations.md')];
  const alarms = ofType(resources, 'AWS::CloudWatch::Alarm');
  const texts = [...pages, ...alarms.map(({ Properties }) => Properties.AlarmDescription)].join(
    '\n',
  );
  const named = [...texts.matchAll(/(?<!-)\bquery [`"]([^`"]+)[`"]/gi)].map(([, name]) => name);
  expect(new Set(named.map((name) => `PlantStore-prod/${name}`))).toEqual(
    new Set(queries.map(({ Name }) => Name)),
  );
});

/** The lines that a function logs for a fault; no line has other fields that queries need. */
async function linesOfFault(): Promise<Json[]> {
  const lines: string[] = [];
  const write = jest
    .spyOn(process.stdout, 'write')
    .mockImplementation((line) => lines.push(String(line)) > 0);
  process.env._X_AMZN_TRACE_ID = 'Root=1-0a1b-2c3d';
  const requestContext = { requestId: 'api', authorizer: { principalId: '0a1b', client: 'ci' } };
  const handle = noteHandler(
    () => Promise.reject(new Error('no DynamoDB')),
    requestLog('put-note', 'prod'),
  );
  await handle(noteEvent({ requestContext }), lambdaContext());
  delete process.env._X_AMZN_TRACE_ID;
  write.mockRestore();
  return lines.map((line) => JSON.parse(line));
}

test('each saved query uses only fields of the lines in its logs, and Find a request all their ids', async () => {
  const [stage] = ofType(resources, 'AWS::ApiGateway::Stage');
  const accessLog = Object.keys(JSON.parse(stage?.Properties.AccessLogSetting.Format));
  // Lambda reports the end of each invocation (https://docs.aws.amazon.com/lambda/latest/dg/telemetry-schema-reference.html).
  const functions = [
    ...(await linesOfFault()).flatMap(Object.keys),
    'type',
    'record.status',
    'record.requestId',
  ];
  const language = '@timestamp @log filter stats as by sort desc and or not like total first'.split(
    ' ',
  );
  const unknown = queries.flatMap(({ Name, QueryString, LogGroupNames }) => {
    const logs: string[] = LogGroupNames.map(readable);
    const known = logs
      .flatMap((log) => (log === 'ApiAccessLog' ? accessLog : functions))
      .concat(language);
    const words: string[] = QueryString.replaceAll(
      /"[^"]*"|\/.*?\/|bin\(\w+\)|\w+(?=\()/g,
      '',
    ).match(/@?[a-z][\w.]*/gi);
    return words.filter((word) => !known.includes(word)).map((word) => `${Name}: ${word}`);
  });
  expect(unknown).toEqual([]);
  const ids = [...accessLog, ...functions].filter((field) => /(request|trace)Id$/i.test(field));
  expect(ids.filter((id) => !queryNamed('Find a request').includes(` ${id} `))).toEqual([]);
});

test('the query for faults finds the second line of a fault', async () => {
  const [, { level }] = await linesOfFault();
  expect(queryNamed('Faults')).toContain(`level = "${level}" and ispresent(error)`);
});

test.each([
  ['Authorize', 'status >= 400'],
  [listOperations()[0]?.id, 'outcome = "rejected" and service != "authorize"'],
])('the query that the alarms for requests rejected by %s name finds %s', (id, condition) => {
  const alarm = resources.find(({ path }) => path.endsWith(`/${id}RejectsMost/Resource`));
  const [, name] = /query "(.+?)"/.exec(alarm?.Properties.AlarmDescription) ?? [];
  expect(queryNamed(name)).toContain(condition);
});

// The authorizer throws an error for each token that it rejects.
test.each([
  [{ stage: 'prod' }, 'AuthorizeFunctionLog'],
  [everyOptionOfProd, 'AuthorizeOidcFunctionLog'],
])('the query for failed invocations leaves out, with %j, errors in %s', (options, authorizer) => {
  const all = ofType(stackResources(options), 'AWS::Logs::QueryDefinition');
  const query = all.find(({ Properties }) => Properties.Name.endsWith('/Failed invocations'));
  const { QueryString, LogGroupNames } = query?.Properties ?? {};
  const [, pattern = 'none'] = /@log not like \/(.*?)\//.exec(QueryString) ?? [];
  const logs: string[] = LogGroupNames.map(readable);
  expect(QueryString).toContain('report" or type');
  expect(logs.filter((log) => new RegExp(pattern).test(`-${log}`))).toEqual([authorizer]);
});
