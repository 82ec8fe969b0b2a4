import { describe, expect, test } from '@jest/globals';
import { listOperations } from '../../lib/operations.ts';
import { stackResources, stackTemplate } from '../support/assembly/stack-template.ts';
import {
  type Json,
  ofType,
  type Resource,
  readable,
} from '../support/assembly/template-resources.ts';
import { read, tableRows } from '../support/pages/code-blocks.ts';
import { everyOptionOfProd } from './option-combinations.ts';

const prod = stackResources({ stage: 'prod' });
const prodWithOptions = stackResources(everyOptionOfProd);
const alarms = ofType(prodWithOptions, 'AWS::CloudWatch::Alarm');
const operations = listOperations();

const PAGE = 'OperationsAlarmTopic';
const TICKET = 'OperationsTicketTopic';

const REQUESTS_TO_API = 'AWS/ApiGateway Count ApiName=PlantStore-prod Stage=prod Sum';
const SERVER_ERRORS = 'AWS/ApiGateway 5XXError ApiName=PlantStore-prod Stage=prod Sum';

describe('the error budgets', () => {
  // At one request a minute, a single fault is 1.7% of an hour's requests, so an alarm needs five.
  const share =
    'IF(FILL(faults, 0) + FILL(serverErrors, 0) >= 5, (FILL(faults, 0) + FILL(serverErrors, 0)) / requests, 0)';
  const metrics = {
    faults: 'PlantStore Faults stage=prod Sum',
    serverErrors: SERVER_ERRORS,
    requests: REQUESTS_TO_API,
  };

  test.each([
    ['ErrorBudgetFast', PAGE, '1 of 1 x 60 min', `${share} > 0.0144`],
    ['ErrorBudgetSlow', PAGE, '1 of 1 x 360 min', `${share} > 0.006`],
    ['ErrorBudgetTicket', TICKET, '1 of 1 x 4320 min', `${share} > 0.001`],
  ])('the alarm %s notifies %s in %s', (name, topic, periods, condition) => {
    const expected = filledIn(condition, metrics);
    expect(alarm(name)).toEqual({ notifies: [topic], periods, condition: expected });
  });
});

describe('the alarms that roll back a new version', () => {
  const periods = '1 of 1 x 5 min';
  // A single fault can be chance.
  const condition = 'IF(FILL(counted, 0) >= 2, (FILL(counted, 0)) / requests, 0) > 0.005';
  const ofAlias = (metric: string, id: string) =>
    `AWS/Lambda ${metric} FunctionName=${id} Resource=${id}:live Sum`;

  test.each([
    ...operations.flatMap(({ id, functionName }) => [
      {
        name: `${id}Faults`,
        counted: `PlantStore Faults service=${functionName} stage=prod Sum`,
        requests: `PlantStore Faults service=${functionName} stage=prod SampleCount`,
      },
      {
        name: `${id}Errors`,
        counted: ofAlias('Errors', id),
        requests: ofAlias('Invocations', id),
      },
    ]),
    {
      name: 'AuthorizeFaults',
      counted: 'PlantStore Faults service=authorize stage=prod Sum',
      requests: 'PlantStore Faults service=authorize stage=prod SampleCount',
    },
    { name: 'ApiServerErrors', counted: SERVER_ERRORS, requests: REQUESTS_TO_API },
  ])('$name, which notifies nobody', ({ name, ...metrics }) => {
    const expected = filledIn(condition, metrics);
    expect(alarm(name)).toEqual({ notifies: [], periods, condition: expected });
  });
});

describe.each([
  ...operations.map(({ id, functionName }) => ({
    id,
    counted: `PlantStore ClientErrors service=${functionName} stage=prod Sum`,
    requests: `PlantStore Faults service=${functionName} stage=prod SampleCount`,
    all: 'FILL(requests, 0)',
    share: '(FILL(counted, 0)) / requests',
  })),
  {
    id: 'Authorize',
    counted: 'PlantStore RejectedCredentials stage=prod Sum',
    requests: 'PlantStore Faults stage=prod SampleCount',
    // No operation logs a request that the authorizer rejects.
    all: '(FILL(counted, 0) + FILL(requests, 0))',
    share: '(FILL(counted, 0)) / (FILL(counted, 0) + FILL(requests, 0))',
  },
])('if requests are rejected,', ({ id, all, share, ...metrics }) => {
  test.each([
    [`${id}RejectsMost`, PAGE, '1 of 1 x 15 min', `IF(${all} >= 10, ${share}, 0) > 0.9`],
    [`${id}RejectsMostTicket`, TICKET, '1 of 1 x 360 min', `IF(${all} >= 5, ${share}, 0) > 0.9`],
    [`${id}ClientErrors`, TICKET, '1 of 1 x 15 min', `IF(${all} >= 20, ${share}, 0) > 0.2`],
  ])('the alarm %s notifies %s in %s', (name, topic, periods, condition) => {
    const expected = filledIn(condition, metrics);
    expect(alarm(name)).toEqual({ notifies: [topic], periods, condition: expected });
  });
});

describe('the alarms for missing logs', () => {
  test.each([
    {
      name: 'ApiLogsMissing',
      lines: 'AWS/Logs IncomingLogEvents LogGroupName=ApiAccessLog Sum',
      requests: REQUESTS_TO_API,
    },
    ...operations.map(({ id, functionName }) => ({
      name: `${id}LogsMissing`,
      lines: `PlantStore Faults service=${functionName} stage=prod SampleCount`,
      requests: `AWS/Lambda Invocations FunctionName=${id} Resource=${id}:live Sum`,
    })),
  ])('$name', ({ name, ...metrics }) => {
    expect(alarm(name)).toEqual({
      notifies: [TICKET],
      periods: '1 of 1 x 60 min',
      condition: filledIn(
        'IF(FILL(requests, 0) >= 20, (FILL(lines, 0)) / requests, 1) < 0.5',
        metrics,
      ),
    });
  });
});

describe('the alarms for the traffic of the API', () => {
  test.each([
    // expectedRequestsPerMinute=5000
    ['UnexpectedTraffic', TICKET, '1 of 1 x 15 min', `${REQUESTS_TO_API} > 75000`],
    [
      'ApiLatency',
      TICKET,
      '3 of 3 x 5 min',
      'AWS/ApiGateway Latency ApiName=PlantStore-prod Stage=prod p99 > 1000',
    ],
    [
      'ApiThrottles',
      PAGE,
      '3 of 5 x 1 min',
      `(FILL(PlantStore Throttled stage=prod Sum, 0)) / ${REQUESTS_TO_API} > 0.01`,
    ],
  ])('the alarm %s notifies %s in %s', (name, topic, periods, condition) => {
    expect(alarm(name)).toEqual({ notifies: [topic], periods, condition });
  });
});

test('CertificateExpiry is raised 30 days before a custom domain’s certificate expires, and afterwards', () => {
  const ofCertificate = `CertificateArn=${everyOptionOfProd.certificateArn}`;
  expect(alarm('CertificateExpiry')).toEqual({
    notifies: [TICKET],
    periods: '1 of 1 x 1440 min',
    condition: `AWS/CertificateManager DaysToExpiry ${ofCertificate} Minimum < 30`,
  });
  // CloudWatch has no data for a certificate that has expired.
  const withoutData = alarms.filter((each) => each.Properties.TreatMissingData !== 'notBreaching');
  expect(withoutData.map(nameOf)).toEqual(['CertificateExpiry']);
});

test('each alarm notifies its topic also when it is OK again', () => {
  for (const { Properties } of alarms) {
    expect(Properties.OKActions).toEqual(Properties.AlarmActions);
    expect(Properties.ActionsEnabled ?? true).toBe(true);
  }
});

test('the text of each alarm names the time that the alarm evaluates', () => {
  const MINUTES: Json = { minute: 1, hour: 60, day: 1440 };
  const wrong = alarms.filter((each) => {
    const { AlarmDescription, EvaluationPeriods, Period, Metrics } = each.Properties;
    const [, count = '1', unit] = /last (?:(\d+) )?(minute|hour|day)/.exec(AlarmDescription) ?? [];
    const period = Period ?? Metrics.at(-1).MetricStat.Period;
    return !unit || Number(count) * MINUTES[unit] !== (EvaluationPeriods * period) / 60;
  });
  // Its text names a time ahead.
  expect(wrong.map(nameOf)).toEqual(['CertificateExpiry']);
});

test('docs/runbook.md lists each alarm under its action, with the entry to which the alarm links', () => {
  // The alarms of an added operation have the entries of the first one's.
  const [, ...added] = operations;
  const expected = alarms
    .filter((each) => !added.some(({ id }) => nameOf(each).startsWith(id)))
    .map((each) => {
      const { AlarmActions: [topic] = [], AlarmDescription } = each.Properties;
      const action =
        topic === undefined ? 'rollback' : readable(topic) === PAGE ? 'page' : 'ticket';
      const [, entry] = AlarmDescription.split(
        ` Then: ${everyOptionOfProd.repositoryUrl}/blob/HEAD/docs/runbook.md`,
      );
      return `${action}: [${nameOf(each)}](${entry})`;
    });
  const listed = tableRows('docs/runbook.md').flatMap(({ action, alarms = '' }) =>
    (alarms.match(/\[\w+\]\(#\w+\)/g) ?? []).map((link) => `${action}: ${link}`),
  );
  expect(listed.sort()).toEqual(expected.sort());
});

test('the text of an alarm contains its threshold as a percentage', () => {
  const withShare = alarms.filter(({ Properties }) => /%/.test(Properties.AlarmDescription));
  expect(withShare).not.toEqual([]);
  for (const { Properties } of withShare)
    expect(Properties.AlarmDescription).toContain(`more than ${100 * Properties.Threshold}% `);
});

test('the commands in docs/first-day.md find alarms by their names', () => {
  const page = read('docs/first-day.md');
  const prefixes = page.match(/(?<=--alarm-name-prefix PlantStore-\w+-)\w+/g);
  const unknown = prefixes?.filter(
    (prefix) => !alarms.some(({ logicalId }) => logicalId.startsWith(prefix)),
  );
  expect(unknown).toEqual([]);
});

test('without repositoryUrl, an alarm names its entry in the runbook', () => {
  const latency = ofType(prod, 'AWS::CloudWatch::Alarm').find(
    (each) => nameOf(each) === 'ApiLatency',
  );
  expect(latency?.Properties.AlarmDescription).toMatch(/ Then: docs\/runbook\.md, ApiLatency$/);
});

test('alarmEmail subscribes an email address to both topics, and outputs have the ARNs of the topics', () => {
  const subscriptions = ofType(prodWithOptions, 'AWS::SNS::Subscription').map(
    ({ Properties: { Protocol, Endpoint, TopicArn } }) => [Protocol, Endpoint, readable(TopicArn)],
  );
  expect(subscriptions.sort()).toEqual([
    ['email', 'ops@example.com', PAGE],
    ['email', 'ops@example.com', TICKET],
  ]);
  const { PageTopicArn, TicketTopicArn } = stackTemplate({ stage: 'prod' }).Outputs;
  expect(readable(PageTopicArn.Value)).toBe(PAGE);
  expect(readable(TicketTopicArn.Value)).toBe(TICKET);
});

test('the emails of pages and tickets have different senders', () => {
  const senders = ofType(prod, 'AWS::SNS::Topic').map(({ Properties }) => Properties.DisplayName);
  expect(senders.sort()).toEqual(['PlantStore-prod page', 'PlantStore-prod ticket']);
});

test('the topic policies allow only alarms in the same account to publish', () => {
  const policies = ofType(prod, 'AWS::SNS::TopicPolicy');
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

const OPERATORS: Json = { LessThanThreshold: '<', GreaterThanThreshold: '>' };

/** The construct's name, such as `ApiLatency`. */
function nameOf({ path }: Resource): string {
  return path.split('/').at(-2) ?? path;
}

/** Replaces the metrics' ids, which no reader of an alarm sees, by the metrics. */
function filledIn(condition: string, metrics: Readonly<Record<string, string>>): string {
  return condition.replaceAll(/\w+/g, (word) => metrics[word] ?? word);
}

/** What an alarm notifies and compares: a metric, or metric math. The periods are, for example, `3 of 5 x 1 min`. */
function alarm(name: string) {
  expect(alarms.map(nameOf)).toContain(name);
  const { AlarmActions = [], ...properties }: Json =
    alarms.find((each) => nameOf(each) === name)?.Properties ?? {};
  const { Period, Statistic, ExtendedStatistic, EvaluationPeriods } = properties;
  const single = { Metric: properties, Period, Stat: Statistic ?? ExtendedStatistic };
  const [{ Expression }, ...metrics]: Json[] = properties.Metrics ?? [
    { Expression: 'metric' },
    { Id: 'metric', MetricStat: single },
  ];
  const minutes = new Set(metrics.map(({ MetricStat }) => MetricStat.Period / 60));
  const operator = OPERATORS[properties.ComparisonOperator];
  const { DatapointsToAlarm = EvaluationPeriods, Threshold } = properties;
  return {
    notifies: AlarmActions.map(readable),
    periods: `${DatapointsToAlarm} of ${EvaluationPeriods} x ${[...minutes]} min`,
    condition: filledIn(
      `${Expression} ${operator} ${Threshold}`,
      Object.fromEntries(
        metrics.map(({ Id, MetricStat: { Metric, Stat } }) => {
          const dimensions = Metric.Dimensions.map(
            ({ Name, Value }: Json) => `${Name}=${readable(Value)}`,
          );
          return [Id, [Metric.Namespace, Metric.MetricName, ...dimensions, Stat].join(' ')];
        }),
      ),
    ),
  };
}
