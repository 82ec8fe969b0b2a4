import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { operations } from '../../lib/operations.ts';
import { type Json, ofType, type Resource, readable, stackResources } from '../support/template-resources.ts';
import { everyOptionOfProd } from './option-combinations.ts';
import { stackTemplate } from './stack-template.ts';

const resources = stackResources({ stage: 'prod' });
const withOptions = stackResources(everyOptionOfProd);
const alarms = ofType(resources, 'AWS::CloudWatch::Alarm');
const runbook = readFileSync(join(import.meta.dirname, '../../docs/runbook.md'), 'utf8');
const operationsPage = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8');
const topics = { OperationsAlarmTopic: 'page', OperationsTicketTopic: 'ticket' };

test('each alarm watches exactly these metrics, and either notifies a topic or rolls back deployments', () => {
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
  const rejected = (minimum: number, counted: string, requests: string) =>
    `IF(FILL(${requests}, 0) >= ${minimum}, (FILL(${counted}.Sum, 0)) / ${requests}, 0)`;
  const rejecting = (id: string, ...metrics: [counted: string, requests: string]) => ({
    // One request a minute raises this alarm: of 15 requests on average, fewer than 5 are rare, 1 in 1,000 periods.
    [`${id}RejectsMost`]: [rejected(5, ...metrics), '> 0.9', '1 of 1 x 900 s', 'page'],
    [`${id}ClientErrors`]: [rejected(20, ...metrics), '> 0.2', '1 of 1 x 900 s', 'ticket'],
  });
  const ofFunction = (id: string, service: string) => ({
    [`${id}Faults`]: canary(`Faults{${service}, prod}`, `Faults{${service}, prod}.SampleCount`, id),
  });
  const ofOperation = ({ id, functionName }: (typeof operations)[number]) => {
    const live = `{${id}, ${id}:live}`;
    return {
      ...ofFunction(id, functionName),
      [`${id}Errors`]: canary(`Errors${live}`, `Invocations${live}.Sum`, id),
      ...rejecting(id, `ClientErrors{${functionName}, prod}`, `Faults{${functionName}, prod}.SampleCount`),
    };
  };
  const expected = {
    ErrorBudgetFast: [budget, '> 0.0144', '1 of 2 x 3600 s', 'page'],
    ErrorBudgetSlow: [budget, '> 0.006', '1 of 2 x 21600 s', 'page'],
    ErrorBudgetTicket: [budget, '> 0.001', '1 of 1 x 259200 s', 'ticket'],
    ...Object.assign({}, ...operations.map(ofOperation)),
    ...ofFunction('Authorize', 'authorize'),
    ...rejecting('Authorize', 'RejectedCredentials{prod}', count),
    ApiServerErrors: canary(api('5XXError'), count, ...operations.map(({ id }) => id), 'Authorize'),
    UnexpectedTraffic: [count, '> 15000', '1 of 1 x 900 s', 'ticket'],
    ApiLatency: [`${api('Latency')}.p99`, '> 1000', '3 of 3 x 300 s', 'ticket'],
    ApiThrottles: [`(FILL(Throttled{prod}.Sum, 0)) / ${count}`, '> 0.01', '3 of 5 x 60 s', 'page'],
  };
  expect(tableOf(resources)).toEqual(expected);
  const certificate = `DaysToExpiry{${everyOptionOfProd.certificateArn}}.Minimum`;
  expect(tableOf(withOptions)).toEqual({
    ...expected,
    UnexpectedTraffic: [count, '> 75000', '1 of 1 x 900 s', 'ticket'],
    CertificateExpiry: [certificate, '< 30', '1 of 1 x 86400 s', 'ticket', 'missing data: breaching'],
  });
});

test('each alarm links to an entry in the runbook, and the runbook’s index lists these entries', () => {
  const entryOf = (alarm: Resource, link: string) => {
    const { AlarmDescription: description } = alarm.Properties;
    expect(description).toContain(` Then: ${link}`);
    return [nameOf(alarm), description.split(link)[1].toLowerCase()];
  };
  const url = `${everyOptionOfProd.repositoryUrl}/blob/HEAD/docs/runbook.md#`;
  const linked = ofType(withOptions, 'AWS::CloudWatch::Alarm').map((alarm) => entryOf(alarm, url));
  const index = [...runbook.matchAll(/^\| \[(\w+)\]\(#(\w+)\) \|/gm)];
  // The alarms of an added operation have the same entries as those of createPlant.
  expect(linked).toEqual(expect.arrayContaining(index.map(([, name, anchor]) => [name, anchor])));
  expect(new Set(linked.map(([, anchor]) => anchor))).toEqual(new Set(index.map(([, , anchor]) => anchor)));
  const named = alarms.map((alarm) => entryOf(alarm, 'docs/runbook.md, '));
  expect(linked).toEqual(expect.arrayContaining(named));
  for (const [, anchor] of linked) {
    expect(runbook).toMatch(new RegExp(`^## ${anchor}\n\n.*?\\*\\*Look:\\*\\* .*?\\*\\*Do:\\*\\* `, 'ims'));
  }
});

test('the pages and alarms name exactly the saved queries', () => {
  const saved = ofType(resources, 'AWS::Logs::QueryDefinition').map(({ Properties }) => Properties.Name);
  const descriptions = alarms.map(({ Properties }) => Properties.AlarmDescription);
  const texts = [runbook, operationsPage, ...descriptions].join('\n');
  const named = [...texts.matchAll(/(?<!-)\bquery [`"]([^`"]+)[`"]/gi)].map(
    ([, query]) => `PlantStore-prod/${query}`,
  );
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

test('alarmEmail subscribes an email address to both topics, and outputs have the ARNs of the topics', () => {
  const emails = [resources, withOptions].map((all) =>
    ofType(all, 'AWS::SNS::Subscription').map(({ Properties: { Endpoint, Protocol, TopicArn } }) =>
      [Protocol, Endpoint, readable(TopicArn)].join(' '),
    ),
  );
  const address = 'email ops@example.com';
  expect(emails).toEqual([[], Object.keys(topics).map((topic) => `${address} ${topic}`)]);
  const { PageTopicArn, TicketTopicArn } = stackTemplate({ stage: 'prod' }).findOutputs('*');
  expect([PageTopicArn, TicketTopicArn].map((output) => readable(output?.Value))).toEqual(
    Object.keys(topics),
  );
});

test('the topic policies allow only alarms in the same account to publish', () => {
  const policies = ofType(resources, 'AWS::SNS::TopicPolicy');
  expect(policies).toHaveLength(2);
  for (const { Properties } of policies) {
    const allowed = Properties.PolicyDocument.Statement.filter(({ Effect }: Json) => Effect === 'Allow');
    expect(allowed).toEqual([
      expect.objectContaining({
        Principal: { Service: 'cloudwatch.amazonaws.com' },
        Action: 'sns:Publish',
        Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
      }),
    ]);
  }
});

/** For each alarm: what it watches, its threshold, how long the threshold must be breached, and who is told. */
function tableOf(all: readonly Resource[]): Record<string, string[]> {
  return Object.fromEntries(
    ofType(all, 'AWS::CloudWatch::Alarm').map((alarm) => [nameOf(alarm), rowOf(alarm, all)]),
  );
}

function rowOf({ logicalId, Properties }: Resource, all: readonly Resource[]): string[] {
  const { Metrics = [], Threshold, DatapointsToAlarm, EvaluationPeriods, TreatMissingData } = Properties;
  const text = ({ MetricName, Dimensions }: Json, stat: string) =>
    `${MetricName}{${Dimensions.map(({ Value }: Json) => readable(Value)).join(', ')}}.${stat}`;
  const counted: Json[] = Metrics.filter(({ MetricStat }: Json) => MetricStat);
  const expression: string | undefined = Metrics.find((each: Json) => each.Expression)?.Expression;
  const watched = expression?.replaceAll(/[a-z]\w*/g, (id) => {
    const { Metric, Stat } = counted.find(({ Id }) => Id === id)?.MetricStat ?? {};
    return text(Metric, Stat);
  });
  const periods = new Set(counted.map(({ MetricStat }) => MetricStat.Period));
  const comparison = Properties.ComparisonOperator === 'LessThanThreshold' ? '<' : '>';
  return [
    watched ?? text(Properties, Properties.Statistic ?? Properties.ExtendedStatistic),
    `${comparison} ${Threshold}`,
    `${DatapointsToAlarm} of ${EvaluationPeriods} x ${[...periods].join() || Properties.Period} s`,
    [...notified(Properties), ...rolledBackBy(logicalId, all)].join('; '),
    ...(TreatMissingData === 'notBreaching' ? [] : [`missing data: ${TreatMissingData}`]),
  ];
}

/** The topic that is notified when the alarm is raised and when it ends. */
function notified({ AlarmActions = [], OKActions = [] }: Json): string[] {
  const [raised, ended] = [AlarmActions, OKActions].map((actions) => String(actions.map(readable)));
  return Object.entries(topics).flatMap(([topic, action]) =>
    raised === topic && ended === topic ? [action] : [],
  );
}

function rolledBackBy(alarmId: string, all: readonly Resource[]): string[] {
  const groups = ofType(all, 'AWS::CodeDeploy::DeploymentGroup').filter(({ Properties }) =>
    Properties.AlarmConfiguration.Alarms.some(({ Name }: Json) => Name.Ref === alarmId),
  );
  const functions = groups.map(({ path }) => path.split('/')[1]);
  return functions.length === 0 ? [] : [`rolls back ${functions.sort().join(', ')}`];
}

/** The construct's name, such as `ApiLatency`. */
function nameOf({ path }: Resource): string {
  return path.split('/').at(-2) ?? path;
}
