import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, jest, test } from '@jest/globals';
import { seededRandom } from '../../scripts/seeded-random.ts';
import { countsRequests, play } from '../../scripts/simulate-alarms/simulation.ts';
import { tables } from '../../scripts/simulate-alarms/tables.ts';
import { alarmsOf, metricAlarm } from '../../scripts/simulate-alarms/template-alarms.ts';
import { stackTemplate } from './stack-template.ts';

jest.setTimeout(120_000);

const alarms = alarmsOf(stackTemplate({ stage: 'prod' }).toJSON().Resources);
const TRAFFIC = [1, 10, 100, 1_000, 10_000];
const WITHIN_OBJECTIVE = 0.0002;
const onTraffic = 'UnexpectedTraffic';
const failures = new Set(
  alarms.flatMap(({ metrics }) =>
    metrics.filter((metric) => !countsRequests(metric)).map(({ name }) => name),
  ),
);

describe.each([...failures])('if 0.02 %% of the requests fail as %s counts them', (countedBy) => {
  const concerned = alarms.filter(
    ({ name, metrics }) =>
      name !== onTraffic && metrics.some((metric) => metric.name === countedBy && !countsRequests(metric)),
  );
  const scenario = { failing: WITHIN_OBJECTIVE, countedBy };

  test.each([
    // Rare requests need more days to show what a single failure does.
    [28, 1],
    [7, 10],
    [2, 100],
    [2, 1_000],
    [2, 10_000],
  ])('sends no mail in %d days of %d requests a minute', (days, requestsPerMinute) => {
    const random = seededRandom(requestsPerMinute);
    const notifying = concerned.filter(({ notifies }) => notifies);
    expect([
      ...play(notifying, { ...scenario, requestsPerMinute, minutes: days * 24 * 60 }, random).raised,
    ]).toEqual([]);
  });

  test.each(TRAFFIC)(
    'rolls back at most one of 100 healthy canaries at %d requests a minute',
    (requestsPerMinute) => {
      const random = seededRandom(requestsPerMinute);
      const silent = concerned.filter(({ notifies, name }) => !notifies && !name.includes('Windows/'));
      const raisedInCanary = Array.from({ length: 100 }, () =>
        play(silent, { ...scenario, requestsPerMinute, minutes: 5 }, random),
      ).filter(({ raised }) => raised.size > 0);
      expect(raisedInCanary.length).toBeLessThanOrEqual(1);
    },
  );

  test('raises each of the alarms if all of the requests fail', () => {
    const random = seededRandom(1);
    const { raised } = play(
      concerned,
      { ...scenario, requestsPerMinute: 100, failing: 1, minutes: 360 },
      random,
    );
    expect([...raised.keys()].sort()).toEqual(concerned.map(({ name }) => name).sort());
  });
});

test.each([
  [800, []],
  [1_300, [[onTraffic, 1]]],
])('raises at %d requests a minute, if 1,000 are expected: %j', (traffic, expected) => {
  const scenario = { requestsPerMinute: traffic, failing: 0, minutes: 24 * 60 };
  expect([...play(alarms, scenario, seededRandom(traffic)).raised]).toEqual(expected);
});

test.each([
  [15, false],
  [5, true],
])(
  'an alarm with threshold %d on the sum of the faults of two operations is raised by ten failing requests: %p',
  (Threshold, isRaised) => {
    const faults = (Id: string) => ({
      Id,
      MetricStat: { Metric: { Namespace: 'PlantStore', MetricName: 'Faults' }, Period: 60, Stat: 'Sum' },
    });
    const alarm = metricAlarm('Faults', {
      Metrics: [faults('create'), faults('get'), { Id: 'sum', Expression: 'create + get' }],
      Threshold,
      EvaluationPeriods: 1,
      ComparisonOperator: 'GreaterThanThreshold',
      TreatMissingData: 'notBreaching',
    });
    const isRaisedAt = alarm.start(
      () => ({ requests: 10, failures: 10 }),
      (_metric, { failures }) => failures,
    );
    expect(isRaisedAt(1)).toBe(isRaised);
  },
);

test('prints the tables of docs/operations.md', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8');
  // The cheapest row, because each takes seconds.
  for (const line of tables(alarms, [1]).split('\n')) expect(page).toContain(line);
});
