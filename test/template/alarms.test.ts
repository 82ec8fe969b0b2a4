import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { operations } from '../../lib/operations.ts';
import { tables } from '../../lib/tables.ts';
import { type Json, ofType, type Resource, readable, stackResources } from '../support/template-resources.ts';
import { everyOptionOfProd } from './option-combinations.ts';

const resources = stackResources({ stage: 'prod' });
const metricAlarms = ofType(resources, 'AWS::CloudWatch::Alarm');
const compositeAlarms = ofType(resources, 'AWS::CloudWatch::CompositeAlarm');
const [windows, alarms] = [true, false].map((isWindow) =>
  [...compositeAlarms, ...metricAlarms].filter(({ path }) => path.includes('Windows/') === isWindow),
);
const rollingBack = new Set(
  ofType(resources, 'AWS::CodeDeploy::DeploymentGroup').flatMap(({ Properties }) =>
    Properties.AlarmConfiguration.Alarms.map(({ Name }: Json) => Name.Ref),
  ),
);
const savedQueries = ofType(resources, 'AWS::Logs::QueryDefinition').map(({ Properties }) => Properties.Name);
const runbook = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8');

describe('each alarm', () => {
  test.each((alarms ?? []).map((alarm) => [nameOf(alarm), alarm.Properties]))(
    'describes the problem, its period and the first step, and names an existing runbook entry: %s',
    (name, { AlarmDescription }) => {
      expect(AlarmDescription).toMatch(
        /^.*in (\d of )?the last .* First step: .{20,} Runbook: docs\/operations\.md#/i,
      );
      const [, firstStep = ''] = AlarmDescription.split(' First step: ');
      const [query] = /(?<=the saved query ").*?(?=" in CloudWatch)/.exec(firstStep) ?? [];
      if (query === undefined) expect(firstStep).toMatch(/^(run "aws |open https:)/);
      else expect(savedQueries).toContain(query);
      // CloudWatch allows at most 1024 characters.
      expect(AlarmDescription.length).toBeLessThanOrEqual(1024);
      const heading = entryOf(name);
      expect(AlarmDescription.split('md#')[1]).toBe(heading.toLowerCase());

      const entry = sectionOf(heading);
      for (const part of ['**See**', '**Do**']) expect(entry).toContain(part);
      const [, sameAs] = /^\*\*See\*\*(?: and \*\*Do\*\*)? the same as for \[(\w+)\]/m.exec(entry) ?? [];
      const [see] = /^\*\*See\*\*.*/m.exec(sameAs === undefined ? entry : sectionOf(sameAs)) ?? [];
      if (query !== undefined) expect(see).toContain(`\`${query.split('/')[1]}\``);
    },
  );

  test('gives the same rollback commands as docs/operations.md if its first step includes a rollback', () => {
    const [, commands = ''] = /^```sh\n(git checkout GOOD .*?)\n```/ms.exec(runbook) ?? [];
    const descriptions = alarms?.map(({ Properties }) => Properties.AlarmDescription) ?? [];
    const rollbacks = descriptions.flatMap((text) => /(?<=roll it back: run ").*?(?=")/.exec(text) ?? []);
    expect(rollbacks).toHaveLength(operations.length + 4);
    expect(new Set(rollbacks)).toEqual(new Set([commands.replaceAll('\n', ' && ')]));
  });

  test('notifies the topic on ALARM and OK, unless it rolls back a deployment or is an input to another alarm', () => {
    const [topic] = ofType(resources, 'AWS::SNS::Topic');
    const actions = ({ Properties }: Resource) => [Properties.AlarmActions, Properties.OKActions];
    const notifying = alarms?.filter(({ logicalId }) => !rollingBack.has(logicalId)) ?? [];

    expect(notifying.length).toBeGreaterThan(10);
    for (const alarm of notifying) {
      expect(actions(alarm)).toEqual([[{ Ref: topic?.logicalId }], [{ Ref: topic?.logicalId }]]);
    }
    const silent = [...compositeAlarms, ...metricAlarms].filter((alarm) => !notifying.includes(alarm));
    expect(silent.map(nameOf).sort()).toEqual(
      [
        ...['ApiServerErrors', 'AuthorizeFaults'],
        ...operations.flatMap(({ id }) => [`${id}Errors`, `${id}Faults`]),
        ...['Long', 'Long', 'Short', 'Short'],
      ].sort(),
    );
    for (const alarm of silent) expect(actions(alarm)).toEqual([undefined, undefined]);
  });

  test('evaluates a time range within CloudWatch’s limit', () => {
    for (const { Properties } of metricAlarms) {
      const period = periodOf(Properties);
      const limit = (period < 3600 ? 1 : 7) * 24 * 3600;
      expect(period * Properties.EvaluationPeriods).toBeLessThanOrEqual(limit);
    }
  });
});

test('every runbook entry describes an existing alarm', () => {
  const [, entries = ''] = runbook.split(/^## Runbook$/m);
  const described = [...entries.matchAll(/^### (\w+)$/gm)].map(([, name]) => name);
  expect(described.sort()).toEqual([...new Set(alarms?.map(nameOf).map(entryOf))].sort());
});

describe('the error budget alarms', () => {
  const burnRates = (window: string) =>
    windows
      ?.filter(({ path }) => path.includes(`Windows/${window}/`))
      .map(({ Properties }) => [periodOf(Properties) / 60, Properties.Threshold]);

  test('are raised at 14.4 times the allowed rate over both 1 hour and 5 minutes, or at 6 times the rate over both 6 hours and 30 minutes', () => {
    expect(String(burnRates('Long'))).toBe('60,0.0144,360,0.006');
    expect(String(burnRates('Short'))).toBe('5,0.0144,30,0.006');
    const rules = compositeAlarms.map(({ Properties }) => readable(Properties.AlarmRule));
    const windowsOf = (speed: string) => `OperationsAlarmsErrorBudget${speed}BurnWindows`;
    expect(rules).toEqual(
      ['Fast', 'Slow'].map(windowsOf).map((ids) => `(ALARM("${ids}Long.Arn") AND ALARM("${ids}Short.Arn"))`),
    );
  });

  test('are not raised by fewer than 5 faults, and say so', () => {
    const conditions = metricAlarms.filter(({ path }) => /Windows\/Long|ErrorBudgetTicket/.test(path));
    expect(conditions).toHaveLength(3);
    for (const { Properties } of conditions) {
      expect(Properties.Metrics[0].Expression).toContain('>= 5, ');
    }
    const budgetAlarms = alarms?.filter((alarm) => nameOf(alarm).startsWith('ErrorBudget')) ?? [];
    expect(budgetAlarms).toHaveLength(3);
    for (const { Properties } of budgetAlarms) {
      expect(Properties.AlarmDescription).toMatch(
        /at least 5 .*First step: .*If it finds none, .*Server errors/,
      );
    }
  });

  test('include ErrorBudgetTicket, which is raised if the objective is missed over 3 days', () => {
    const ticket = metricAlarms.find((alarm) => nameOf(alarm) === 'ErrorBudgetTicket')?.Properties;
    expect([periodOf(ticket) / 3600, ticket.Threshold]).toEqual([72, 0.001]);
  });
});

test('alarms on DynamoDB metrics, which never report zero, fill missing data with zeros', () => {
  const ofTables = metricAlarms.filter(({ Properties }) =>
    metricsOf(Properties).some(({ Namespace }) => Namespace === 'AWS/DynamoDB'),
  );
  expect(ofTables).toHaveLength(2 * tables.length);
  for (const { Properties } of ofTables) {
    expect(Properties.Metrics[0].Expression).toMatch(/^\(FILL\(\w+, 0\)( \+ FILL\(\w+, 0\))*\) \/ requests$/);
  }
});

test('alarmEmail sets the email address, and expectedRequestsPerMinute sets the 15-minute threshold of UnexpectedTraffic', () => {
  const withOptions = stackResources(everyOptionOfProd);
  const traffic = [resources, withOptions].map((all) =>
    ofType(all, 'AWS::CloudWatch::Alarm').find((alarm) => nameOf(alarm) === 'UnexpectedTraffic'),
  );
  expect(traffic.map((alarm) => alarm?.Properties)).toMatchObject([
    { MetricName: 'Count', Period: 900, Threshold: 15_000 },
    { MetricName: 'Count', Period: 900, Threshold: 75_000 },
  ]);
  const emails = [resources, withOptions].map((all) => ofType(all, 'AWS::SNS::Subscription'));
  expect(emails).toMatchObject([[], [{ Properties: { Endpoint: 'ops@example.com', Protocol: 'email' } }]]);
});

test('TokensTableThrottles recommends a cache of 60 seconds under the same condition as docs/operations.md', () => {
  const condition = /authorizerCacheSeconds`? is below 60, set it to 60/;
  const alarm = metricAlarms.find((each) => nameOf(each) === 'TokensTableThrottles');
  expect(alarm?.Properties.AlarmDescription).toMatch(condition);
  expect(sectionOf('TokensTableThrottles')).toMatch(condition);
});

test('UnexpectedTraffic recommends revoking a leaked token or, with OpenID Connect, disabling its client at the provider', () => {
  const [own, oidc] = [resources, stackResources(everyOptionOfProd)].map(
    (all) =>
      all.find(({ path }) => path.endsWith('/UnexpectedTraffic/Resource'))?.Properties.AlarmDescription,
  );
  expect(own).toContain('npm run token -- revoke PRINCIPAL --stage prod');
  expect(oidc).not.toContain('npm run token');
  expect(oidc).toContain('OpenID Connect provider');
});

test('the topic policy allows only alarms in the same account to publish', () => {
  const [policy] = ofType(resources, 'AWS::SNS::TopicPolicy');
  const allowed = policy?.Properties.PolicyDocument.Statement.filter(
    ({ Effect }: { Effect: string }) => Effect === 'Allow',
  );
  expect(allowed).toEqual([
    expect.objectContaining({
      Principal: { Service: 'cloudwatch.amazonaws.com' },
      Action: 'sns:Publish',
      Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
    }),
  ]);
});

test('the alarms watch exactly the tables, functions and API of the stack', () => {
  const watched = metricAlarms.flatMap(({ Properties }) =>
    metricsOf(Properties).flatMap(({ Dimensions = [] }) =>
      Dimensions.map(({ Name, Value }: Json) => `${Name} ${readable(Value)}`),
    ),
  );
  const [api] = ofType(resources, 'AWS::ApiGateway::RestApi');
  const [stage] = ofType(resources, 'AWS::ApiGateway::Stage');
  const ofOperations = operations.flatMap((operation) => operation.tables.flatMap((used) => used.actions));
  const actions = [...new Set<string>([...ofOperations, 'dynamodb:GetItem'])];
  expect([...new Set(watched)].sort()).toEqual(
    [
      `ApiName ${readable(api?.Properties.Name)}`,
      `Stage ${stage?.Properties.StageName}`,
      'FunctionName AuthorizeFunction',
      ...actions.map((action) => `Operation ${action.replace('dynamodb:', '')}`),
      ...operations.flatMap(({ id, functionName }) => [
        `FunctionName ${id}`,
        `Resource ${id}:live`,
        `service ${functionName}`,
      ]),
      'Resource AuthorizeFunction:live',
      ...tables.map(({ id }) => `TableName ${id}`),
      'service authorize',
      'stage prod',
    ].sort(),
  );
});

/**
 * The heading of an alarm's runbook entry. All operations share the entries for createPlant, and all tables except
 * Tokens share the entries for Plants.
 */
function entryOf(name: string): string {
  return name
    .replace(/^(?!Tokens)\w+(?=Table(Throttles|Errors)$)/, 'Plants')
    .replace(/^(?!Api|Authorize|\w+Table)\w+?(?=(Faults|ClientErrors|Errors|Throttles)$)/, 'CreatePlant');
}

/** A section of docs/operations.md. */
function sectionOf(heading: string): string {
  return runbook.split(/^### /m).find((section) => section.startsWith(`${heading}\n`)) ?? '';
}

/** The construct's name, such as `ApiLatency`. */
function nameOf({ path }: Resource): string {
  return path.split('/').at(-2) ?? path;
}

/** The metrics of an alarm, without the expressions that combine them. */
function metricsOf({ Metrics, ...properties }: Json): Json[] {
  return Metrics?.flatMap(({ MetricStat }: Json) => MetricStat?.Metric ?? []) ?? [properties];
}

/** The period of an alarm's metrics in seconds. */
function periodOf({ Period, Metrics = [] }: Json): number {
  return Period ?? Metrics.find(({ MetricStat }: Json) => MetricStat).MetricStat.Period;
}
