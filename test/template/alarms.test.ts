import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from '@jest/globals';
import { operations } from '../../lib/operations.ts';
import {
  type Json,
  ofType,
  type Resource,
  readable,
  stackResources,
} from '../support/assembly/template-resources.ts';
import { everyOptionOfProd } from './option-combinations.ts';
import { stackTemplate } from './stack-template.ts';

const resources = stackResources({ stage: 'prod' });
const withOptions = stackResources(everyOptionOfProd);
const topics = { OperationsAlarmTopic: 'page', OperationsTicketTopic: 'ticket' };
const ids = operations.map(({ id }) => id);
const alarmsOf = (stack: readonly Resource[]) => ofType(stack, 'AWS::CloudWatch::Alarm');

test('each alarm wakes somebody up, opens a ticket or rolls functions back, if its threshold is breached in some of its last periods', () => {
  const ofEach = (all: string[], rows: (id: string) => object) =>
    Object.assign({}, ...all.map(rows));
  const expected = {
    ErrorBudgetFast: 'page, 1 of 2 x 60 min',
    ErrorBudgetSlow: 'page, 1 of 2 x 360 min',
    ErrorBudgetTicket: 'ticket, 1 of 1 x 4320 min',
    ...ofEach([...ids, 'Authorize'], (id) => ({
      [`${id}Faults`]: `rolls back ${id}, 1 of 1 x 5 min`,
      [`${id}RejectsMost`]: 'page, 1 of 1 x 15 min',
      [`${id}RejectsMostTicket`]: 'ticket, 1 of 1 x 360 min',
      [`${id}ClientErrors`]: 'ticket, 1 of 1 x 15 min',
    })),
    ...ofEach(ids, (id) => ({ [`${id}Errors`]: `rolls back ${id}, 1 of 1 x 5 min` })),
    ...ofEach([...ids, 'Api'], (id) => ({ [`${id}LogsMissing`]: 'ticket, 1 of 1 x 60 min' })),
    ApiServerErrors: `rolls back ${[...ids, 'Authorize'].sort().join(', ')}, 1 of 1 x 5 min`,
    UnexpectedTraffic: 'ticket, 1 of 1 x 15 min',
    ApiLatency: 'ticket, 3 of 3 x 5 min',
    ApiThrottles: 'page, 3 of 5 x 1 min',
  };
  expect(tableOf(resources)).toEqual(expected);
  const CertificateExpiry = 'ticket, 1 of 1 x 1440 min, also without data';
  expect(tableOf(withOptions)).toEqual({ ...expected, CertificateExpiry });
});

const ofApi = (metric: string) => `AWS/ApiGateway ${metric} ApiName=PlantStore-prod Stage=prod`;
const ofAlias = (metric: string, id: string) =>
  `AWS/Lambda ${metric} FunctionName=${id} Resource=${id}:live`;
const ofStage = (metric: string) => `PlantStore ${metric} stage=prod`;
const ofService = (metric: string, service: string) =>
  `PlantStore ${metric} service=${service} stage=prod`;
/** A function logs `Faults` as 0 or 1 for every request, so the number of these samples is that of its requests. */
const requestsTo = (service: string) => `${ofService('Faults', service)} SampleCount`;
const requests = ofApi('Count');
const daysToExpiry = `AWS/CertificateManager DaysToExpiry CertificateArn=${everyOptionOfProd.certificateArn} Minimum`;

/** The metrics of one period. */
type Metrics = Readonly<Record<string, number | undefined>>;
type Limit = [alarm: string, ok: Metrics, raised: Metrics];

const failed = (serverErrors: number, faults: number, all: number) => ({
  [requests]: all,
  [ofApi('5XXError')]: serverErrors,
  [ofStage('Faults')]: faults,
});
/** More than 0.5%, and at least 2. */
const rollingBack = (alarm: string, failures: string, all: string): Limit[] => [
  [alarm, { [failures]: 5, [all]: 1_000 }, { [failures]: 6, [all]: 1_000 }],
  [alarm, { [failures]: 1, [all]: 10 }, { [failures]: 2, [all]: 10 }],
];
/** More than 90% of at least 10 requests (page) or 5 (ticket), or more than 20% of at least 20. */
const rejecting = (id: string, metrics: (rejected: number, others: number) => Metrics): Limit[] => [
  [`${id}RejectsMost`, metrics(9, 0), metrics(10, 0)],
  // In 15 minutes: all of 10 an hour, and of 1 a minute.
  [`${id}RejectsMost`, metrics(10 / 4, 0), metrics(15, 0)],
  // 9 a minute of one mistaken client beside 1 a minute of others, and 10 a minute.
  [`${id}RejectsMost`, metrics(9 * 15, 15), metrics(10 * 15, 15)],
  [`${id}RejectsMostTicket`, metrics(4, 0), metrics(5, 0)],
  [`${id}RejectsMostTicket`, metrics(90, 10), metrics(91, 9)],
  // In 6 hours: 3 of 4 an hour, and all of 4 an hour.
  [`${id}RejectsMostTicket`, metrics(3 * 6, 6), metrics(4 * 6, 0)],
  [`${id}ClientErrors`, metrics(19, 0), metrics(20, 0)],
  // In 15 minutes: all of 1 a minute, and of 10 a minute.
  [`${id}ClientErrors`, metrics(15, 0), metrics(10 * 15, 0)],
  [`${id}ClientErrors`, metrics(20, 80), metrics(21, 79)],
];
/** Less than half, and at least 20 requests. */
const missingLogs = (alarm: string, lines: string, all: string): Limit[] => [
  [alarm, { [lines]: 10, [all]: 20 }, { [lines]: 9, [all]: 20 }],
  [alarm, { [lines]: undefined, [all]: 19 }, { [lines]: undefined, [all]: 20 }],
];

test.each<Limit>([
  ['ErrorBudgetFast', failed(14, 0, 1_000), failed(15, 0, 1_000)],
  ['ErrorBudgetFast', failed(7, 7, 1_000), failed(7, 8, 1_000)],
  // One call of a client that sends its request five times is enough.
  ['ErrorBudgetFast', failed(0, 4, 4), failed(0, 5, 5)],
  ['ErrorBudgetSlow', failed(6, 0, 1_000), failed(7, 0, 1_000)],
  ['ErrorBudgetTicket', failed(10, 0, 10_000), failed(11, 0, 10_000)],
  ...operations.flatMap(({ id, functionName }) => [
    ...rollingBack(`${id}Faults`, ofService('Faults', functionName), requestsTo(functionName)),
    ...rollingBack(`${id}Errors`, ofAlias('Errors', id), ofAlias('Invocations', id)),
    ...missingLogs(`${id}LogsMissing`, requestsTo(functionName), ofAlias('Invocations', id)),
    ...rejecting(id, (rejected, others) => ({
      [ofService('ClientErrors', functionName)]: rejected,
      [requestsTo(functionName)]: rejected + others,
    })),
  ]),
  ...rejecting('Authorize', (rejected, others) => ({
    [ofStage('RejectedCredentials')]: rejected,
    [`${ofStage('Faults')} SampleCount`]: others,
  })),
  ...rollingBack('AuthorizeFaults', ofService('Faults', 'authorize'), requestsTo('authorize')),
  ...rollingBack('ApiServerErrors', ofApi('5XXError'), requests),
  ...missingLogs(
    'ApiLogsMissing',
    'AWS/Logs IncomingLogEvents LogGroupName=ApiAccessLog',
    requests,
  ),
  // With expectedRequestsPerMinute=5000; the alarm covers 15 minutes.
  ['UnexpectedTraffic', { [requests]: 75_000 }, { [requests]: 75_001 }],
  ['CertificateExpiry', { [daysToExpiry]: 30 }, { [daysToExpiry]: 29 }],
  ['ApiLatency', { [`${ofApi('Latency')} p99`]: 1_000 }, { [`${ofApi('Latency')} p99`]: 1_001 }],
  [
    'ApiThrottles',
    { [ofStage('Throttled')]: 1, [requests]: 100 },
    { [ofStage('Throttled')]: 2, [requests]: 100 },
  ],
])('%s is OK with %j, and raised with %j', (alarm, ok, raised) => {
  expect([ok, raised].map((metrics) => isBreached(alarm, metrics))).toEqual([false, true]);
});

describe('docs/runbook.md', () => {
  const runbook = readFileSync(join(import.meta.dirname, '../../docs/runbook.md'), 'utf8');
  const entryOf = (alarm: Resource, prefix: string) =>
    alarm.Properties.AlarmDescription.split(` Then: ${prefix}`)[1].toLowerCase();

  test('lists each alarm under its action, with its entry, which says where to look and what to do', () => {
    const index = [...runbook.matchAll(/^\| (page|ticket|rollback) +\| (.*) \|$/gm)].flatMap(
      ([, action, alarms = '']) =>
        [...alarms.matchAll(/\[(\w+)\]\(#(\w+)\)/g)].map(([, alarm, entry]) => [
          action,
          alarm,
          entry,
        ]),
    );
    const actions = tableOf(withOptions);
    // The alarms of an added operation have the entries of createPlant's.
    const others = ids.slice(1);
    const linked = alarmsOf(withOptions).map((alarm) => {
      const entry = entryOf(alarm, `${everyOptionOfProd.repositoryUrl}/blob/HEAD/docs/runbook.md#`);
      const [action] = actions[nameOf(alarm)]?.replace('rolls back', 'rollback').split(/,? /) ?? [];
      return [action, nameOf(alarm), entry];
    });
    const listed = linked.filter(([, name]) => !others.some((id) => name.startsWith(id)));
    expect(index.sort()).toEqual(listed.sort());

    const complete = runbook
      .split(/^## /m)
      .filter((entry) => /\*\*Look:\*\*.*\*\*Do:\*\*/s.test(entry));
    const headings = complete.map((entry) => entry.split('\n')[0]?.toLowerCase());
    expect(linked.filter(([, , entry]) => !headings.includes(entry))).toEqual([]);
  });

  test('is named by an alarm if repositoryUrl is not set', () => {
    expect(alarmsOf(resources).map((alarm) => entryOf(alarm, 'docs/runbook.md, '))).toContain(
      'apilatency',
    );
  });
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
    const allowed = Properties.PolicyDocument.Statement.filter(
      ({ Effect }: Json) => Effect === 'Allow',
    );
    expect(allowed).toEqual([
      expect.objectContaining({
        Principal: { Service: 'cloudwatch.amazonaws.com' },
        Action: 'sns:Publish',
        Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
      }),
    ]);
  }
});

/** For each alarm: its action, how many of its periods must breach the threshold, and how long they are. */
function tableOf(all: readonly Resource[]): Record<string, string> {
  const rows = alarmsOf(all).map((alarm) => {
    const { DatapointsToAlarm, EvaluationPeriods, TreatMissingData } = alarm.Properties;
    const minutes = new Set(metricsOf(alarm).map(({ period }) => period / 60));
    const periods = `${DatapointsToAlarm} of ${EvaluationPeriods} x ${[...minutes].join()} min`;
    const missing = TreatMissingData === 'breaching' ? ['also without data'] : [];
    return [
      nameOf(alarm),
      [...notified(alarm), ...rolledBack(alarm, all), periods, ...missing].join(', '),
    ];
  });
  return Object.fromEntries(rows);
}

/** The topic that is notified when the alarm is raised and when it ends. */
function notified({ Properties: { AlarmActions = [], OKActions = [] } }: Resource): string[] {
  const [raised, ended] = [AlarmActions, OKActions].map((actions) => actions.map(readable).join());
  return Object.entries(topics).flatMap(([topic, action]) =>
    raised === topic && ended === topic ? [action] : [],
  );
}

function rolledBack({ logicalId }: Resource, all: readonly Resource[]): string[] {
  const groups = ofType(all, 'AWS::CodeDeploy::DeploymentGroup').filter(({ Properties }) =>
    Properties.AlarmConfiguration.Alarms.some(({ Name }: Json) => Name.Ref === logicalId),
  );
  const functions = groups.map(({ path }) => path.split('/')[1]);
  return functions.length === 0 ? [] : [`rolls back ${functions.sort().join(', ')}`];
}

/** The construct's name, such as `ApiLatency`. */
function nameOf({ path }: Resource): string {
  return path.split('/').at(-2) ?? path;
}

/** The metrics that an alarm watches, with their ids in its expression. */
function metricsOf({ Properties: { Metrics, ...alarm } }: Resource) {
  const { Period, Statistic, ExtendedStatistic } = alarm;
  const single = {
    Id: 'metric',
    MetricStat: { Metric: alarm, Period, Stat: Statistic ?? ExtendedStatistic },
  };
  const all: Json[] = Metrics?.filter((each: Json) => each.MetricStat) ?? [single];
  return all.map(({ Id: id, MetricStat: { Metric, Period: period, Stat } }) => {
    const dimensions = Metric.Dimensions.map(
      ({ Name, Value }: Json) => `${Name}=${readable(Value)}`,
    );
    const name = [Metric.Namespace, Metric.MetricName, ...dimensions].join(' ');
    return { id, period, name: Stat === 'Sum' ? name : `${name} ${Stat}` };
  });
}

/** Whether exactly these metrics breach the threshold. Metric math with IF and FILL is also JavaScript. */
function isBreached(name: string, metrics: Metrics): boolean {
  const alarm = alarmsOf(withOptions).find((each) => nameOf(each) === name);
  if (alarm === undefined) throw new Error(`there is no alarm ${name}`);
  const watched = metricsOf(alarm);
  expect(watched.map((metric) => metric.name).sort()).toEqual(Object.keys(metrics).sort());
  const { Metrics = [], Threshold, ComparisonOperator } = alarm.Properties;
  const { Expression = 'metric' } = Metrics.find((each: Json) => each.Expression) ?? {};
  const value = runInNewContext(Expression, {
    ...Object.fromEntries(watched.map((metric) => [metric.id, metrics[metric.name]])),
    FILL: (count: number | undefined, missing: number) => count ?? missing,
    IF: (isTrue: boolean, then: number, otherwise: number) => (isTrue ? then : otherwise),
  });
  return ComparisonOperator === 'LessThanThreshold' ? value < Threshold : value > Threshold;
}
