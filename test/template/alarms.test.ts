import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { operations } from '../../lib/operations.ts';
import { type Json, ofType, type Resource, readable, stackResources } from '../support/template-resources.ts';
import { everyOptionOfProd } from './option-combinations.ts';

const resources = stackResources({ stage: 'prod' });
const alarms = ofType(resources, 'AWS::CloudWatch::Alarm');
const runbook = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8');

test('each alarm watches exactly these metrics, and either sends an email or rolls back deployments', () => {
  const api = (metric: string) => `${metric}{PlantStore-prod, prod}`;
  const count = `${api('Count')}.Sum`;
  const faults = `FILL(Faults{prod}.Sum, 0) + FILL(${api('5XXError')}.Sum, 0)`;
  const budget = `IF(${faults} >= 5, (${faults}) / ${count}, 0)`;
  const canary = (counted: string, requests: string, ...functions: string[]) => [
    `IF(FILL(${counted}.Sum, 0) >= 2, (FILL(${counted}.Sum, 0)) / ${requests}, 0)`,
    '> 0.005',
    '1 of 1 x 300 s',
    `rolls back ${functions.sort().join(', ')}`,
  ];
  const rejecting = (counted: string, requests: string) => [
    `IF(FILL(${requests}, 0) >= 20, (FILL(${counted}.Sum, 0)) / ${requests}, 0)`,
    '> 0.2',
    '1 of 1 x 900 s',
    'email',
  ];
  const ofOperation = ({ id, functionName }: (typeof operations)[number]) => {
    const requests = `Faults{${functionName}, prod}.SampleCount`;
    const live = `{${id}, ${id}:live}`;
    return {
      [`${id}Faults`]: canary(`Faults{${functionName}, prod}`, requests, id),
      [`${id}Errors`]: canary(`Errors${live}`, `Invocations${live}.Sum`, id),
      [`${id}ClientErrors`]: rejecting(`ClientErrors{${functionName}, prod}`, requests),
    };
  };
  expect(Object.fromEntries(alarms.map((alarm) => [nameOf(alarm), summaryOf(alarm)]))).toEqual({
    ErrorBudgetFast: [budget, '> 0.0144', '1 of 2 x 3600 s', 'email'],
    ErrorBudgetSlow: [budget, '> 0.006', '1 of 2 x 21600 s', 'email'],
    ErrorBudgetTicket: [budget, '> 0.001', '1 of 2 x 259200 s', 'email'],
    ...Object.assign({}, ...operations.map(ofOperation)),
    AuthorizeFaults: canary('Faults{authorize, prod}', 'Faults{authorize, prod}.SampleCount', 'Authorize'),
    ApiServerErrors: canary(api('5XXError'), count, ...operations.map(({ id }) => id), 'Authorize'),
    AuthorizeClientErrors: rejecting('RejectedCredentials{prod}', count),
    UnexpectedTraffic: [count, '> 15000', '1 of 1 x 900 s', 'email'],
    ApiLatency: [`${api('Latency')}.p99`, '> 1000', '3 of 3 x 300 s', 'email'],
    ApiThrottles: [`(FILL(Throttled{prod}.Sum, 0)) / ${count}`, '> 0.01', '3 of 5 x 60 s', 'email'],
  });
});

test('the description of each alarm says since when, and names a runbook entry with what to see and do', () => {
  const entries = [...(runbook.split(/^## Runbook$/m)[1]?.matchAll(/^### (\w+)$/gm) ?? [])].map(
    ([, name]) => name,
  );
  const named = alarms.map(({ Properties }) => {
    const [, meaning, anchor] =
      /^(.+) Runbook: docs\/operations\.md#(\w+)$/.exec(Properties.AlarmDescription) ?? [];
    expect(meaning).toMatch(/in (\d of )?the last /i);
    return anchor;
  });
  expect([...new Set(named)].sort()).toEqual(entries.map((name) => name?.toLowerCase()).sort());
  for (const entry of runbook.split(/^### /m).filter((section) => entries.includes(section.split('\n')[0]))) {
    expect(entry).toMatch(/\*\*See\*\*.*\*\*Do\*\*/s);
  }
});

test('the page names exactly the saved queries', () => {
  const saved = ofType(resources, 'AWS::Logs::QueryDefinition').map(({ Properties }) => Properties.Name);
  const named = [...runbook.matchAll(/\bquery `([^`]+)`/gi)].map(([, query]) => `PlantStore-prod/${query}`);
  expect(new Set(named)).toEqual(new Set(saved));
});

test('the queries of the access log use only its fields', () => {
  const [stage] = ofType(resources, 'AWS::ApiGateway::Stage');
  const fields = Object.keys(JSON.parse(stage?.Properties.AccessLogSetting.Format));
  const keywords = ['filter', 'stats', 'as', 'total', 'by', 'pct', 'sort', 'desc'];
  for (const { Properties } of ofType(resources, 'AWS::Logs::QueryDefinition')) {
    if (String(Properties.LogGroupNames.map(readable)) !== 'ApiAccessLog') continue;
    const words = Properties.QueryString.replaceAll(/\w+\(\)|bin\(\w+\)/g, '').match(/[a-z]\w+/gi) ?? [];
    expect([...fields, ...keywords]).toEqual(expect.arrayContaining(words));
  }
});

test('alarmEmail sets the email address, and expectedRequestsPerMinute sets the 15-minute threshold of UnexpectedTraffic', () => {
  const withOptions = stackResources(everyOptionOfProd);
  const traffic = ofType(withOptions, 'AWS::CloudWatch::Alarm').find(
    (each) => nameOf(each) === 'UnexpectedTraffic',
  );
  expect(traffic?.Properties).toMatchObject({ Period: 900, Threshold: 75_000 });
  const emails = [resources, withOptions].map((all) => ofType(all, 'AWS::SNS::Subscription'));
  expect(emails).toMatchObject([[], [{ Properties: { Endpoint: 'ops@example.com', Protocol: 'email' } }]]);
});

test('the topic policy allows only alarms in the same account to publish', () => {
  const [policy] = ofType(resources, 'AWS::SNS::TopicPolicy');
  const allowed = policy?.Properties.PolicyDocument.Statement.filter(
    ({ Effect }: Json) => Effect === 'Allow',
  );
  expect(allowed).toEqual([
    expect.objectContaining({
      Principal: { Service: 'cloudwatch.amazonaws.com' },
      Action: 'sns:Publish',
      Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
    }),
  ]);
});

/** What an alarm watches, its threshold, how long the threshold must be exceeded, and who is told. */
function summaryOf({ logicalId, Properties }: Resource): string[] {
  const { Metrics = [], Threshold, DatapointsToAlarm: some, EvaluationPeriods: all } = Properties;
  expect(Properties).toMatchObject({
    ComparisonOperator: 'GreaterThanThreshold',
    TreatMissingData: 'notBreaching',
  });
  const text = ({ MetricName, Dimensions }: Json, stat: string) =>
    `${MetricName}{${Dimensions.map(({ Value }: Json) => readable(Value)).join(', ')}}.${stat}`;
  const counted: Json[] = Metrics.filter(({ MetricStat }: Json) => MetricStat);
  const expression: string | undefined = Metrics.find((each: Json) => each.Expression)?.Expression;
  const watched = expression?.replaceAll(/[a-z]\w*/g, (id) => {
    const { Metric, Stat } = counted.find(({ Id }) => Id === id)?.MetricStat ?? {};
    return text(Metric, Stat);
  });
  const periods = new Set(counted.map(({ MetricStat }) => MetricStat.Period));
  return [
    watched ?? text(Properties, Properties.Statistic ?? Properties.ExtendedStatistic),
    `> ${Threshold}`,
    `${some} of ${all} x ${[...periods].join() || Properties.Period} s`,
    [...notified(Properties), ...rolledBackBy(logicalId)].join('; '),
  ];
}

function notified({ AlarmActions = [], OKActions = [] }: Json): string[] {
  const topics = [AlarmActions, OKActions].map((actions) => String(actions.map(readable)));
  return String(topics) === 'OperationsAlarmTopic,OperationsAlarmTopic' ? ['email'] : topics.filter(Boolean);
}

function rolledBackBy(alarmId: string): string[] {
  const groups = ofType(resources, 'AWS::CodeDeploy::DeploymentGroup').filter(({ Properties }) =>
    Properties.AlarmConfiguration.Alarms.some(({ Name }: Json) => Name.Ref === alarmId),
  );
  const functions = groups.map(({ path }) => path.split('/')[1]);
  return functions.length === 0 ? [] : [`rolls back ${functions.sort().join(', ')}`];
}

/** The construct's name, such as `ApiLatency`. */
function nameOf({ path }: Resource): string {
  return path.split('/').at(-2) ?? path;
}
