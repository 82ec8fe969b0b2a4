import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Json, ofType } from '../support/template-resources.ts';
import { emittedMetrics, filteredMetrics, isBadMinute, watchedMetrics } from './custom-metrics.ts';
import { type EveryOutcome, runEveryOutcome } from './every-outcome.ts';

let run: EveryOutcome;
let lines: Json[];
let summaries: Json[];
let faults: Json[];
beforeAll(async () => {
  run = await runEveryOutcome();
  // The stage itself logs plain text, the functions JSON.
  lines = run.log.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
  summaries = lines.filter((line) => line._aws);
  faults = lines.filter((line) => !line._aws);
}, 60_000);

test('the service returned every outcome', () => {
  expect(run.answers).toEqual([
    ...['200', '200', '400 1004', '400 1000', '400 1001', '400 1002', '400 1003'],
    ...['400 1599', '401 2401', '400 1500', '500 2500'],
  ]);
});

describe('the log line of a request', () => {
  test('has the outcome', () => {
    const outcomes = (service: string) =>
      summaries
        .filter((line) => line.service === service)
        .map(({ outcome, error = '' }) => `${outcome} ${error}`.trim());

    expect(outcomes('create-plant')).toEqual([
      ...['created', 'duplicate', 'rejected 1004', 'rejected 1000', 'rejected 1001', 'rejected 1002'],
      ...['rejected 1003', 'fault 1599', 'fault 1500'],
    ]);
    expect(outcomes('authorize')).toEqual(['allowed', 'rejected 2401', 'fault 2500']);
  });

  test('has a unique request id', () => {
    const ids = summaries.map(({ service, requestId }) => `${service} ${requestId}`);
    expect(new Set(ids).size).toBe(summaries.length);
    for (const { requestId } of summaries) expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('has principal and client after authorization', () => {
    for (const line of summaries.filter(({ service }) => service === 'create-plant')) {
      expect(line).toMatchObject({
        client: 'end-to-end test',
        principal: expect.stringMatching(/^[0-9a-f]{16}$/),
      });
    }
  });

  test('has the duration, and the latency of a put', () => {
    for (const line of summaries) expect(line.Duration).toBeGreaterThan(0);
    const puts = summaries
      .filter((line) => 'PutLatency' in line)
      .map(({ outcome, error }) => error ?? outcome);
    expect(puts).toEqual(expect.arrayContaining(['created', 'duplicate', '1004', '1500']));
  });

  test('counts 1 or 0 faults', () => {
    for (const { outcome, Faults } of summaries) expect(Faults).toBe(outcome === 'fault' ? 1 : 0);
  });

  test('marks the first one of a process as a cold start', () => {
    const starts = (service: string) =>
      summaries.filter((line) => line.service === service && line.coldStart === 'true').length;
    expect([starts('create-plant'), starts('authorize')]).toEqual([1, 1]);
  });
});

test('a fault has a second log line with what was thrown', () => {
  expect(faults).toEqual([
    expect.objectContaining({
      error: 1599,
      level: 'ERROR',
      name: 'TypeError',
      message: 'an internal detail',
    }),
    expect.objectContaining({ error: 1500, service: 'create-plant', stack: expect.stringContaining('\n') }),
    expect.objectContaining({ error: 2500, service: 'authorize', stack: expect.stringContaining('\n') }),
  ]);
  const ids = summaries.filter(({ outcome }) => outcome === 'fault').map(({ requestId }) => requestId);
  expect(faults.map(({ requestId }) => requestId)).toEqual(ids);
});

test('no log line has a token, a body or an item', () => {
  const log = run.log.join('\n');
  for (const text of run.confidential) expect(log).not.toContain(text);
});

test('every alarm and widget on a custom metric watches one that is emitted', () => {
  const emitted = new Set([
    ...emittedMetrics(lines),
    ...filteredMetrics(run.resources, { status: '429', stage: 'prod' }),
  ]);
  const watched = watchedMetrics(run.resources);

  expect(watched.filter(({ metric }) => !emitted.has(metric))).toEqual([]);
  expect(watched.map(({ metric }) => metric)).toEqual(
    expect.arrayContaining([
      'PlantStore Faults service=create-plant stage=prod',
      'PlantStore Faults service=authorize stage=prod',
      'PlantStore Throttled stage=prod',
      'PlantStore ClientErrors error=1004 service=create-plant stage=prod',
    ]),
  );
});

test.each(['create-plant', 'authorize'])(
  'faults of %s raise the alarm that stops its deployment; rejected requests do not',
  (service) => {
    const groups = ofType(run.resources, 'AWS::CodeDeploy::DeploymentGroup');
    const [alarm, ...others] = groups
      .flatMap(({ Properties }) => Properties.AlarmConfiguration.Alarms)
      .map(({ Name }) => run.resources.find(({ logicalId }) => logicalId === Name.Ref)?.Properties)
      .filter(({ Dimensions }) => Dimensions.some(({ Value }: Json) => Value === service));
    expect(others).toEqual([]);

    const good = summaries.filter(({ outcome }) => outcome !== 'fault');
    expect(isBadMinute(alarm, good)).toBe(false);
    const [fault] = summaries.filter((line) => line.service === service && line.outcome === 'fault');
    expect(isBadMinute(alarm, [...good, fault])).toBe(true);
  },
);

test('a request that was not throttled is not counted as throttled', () => {
  expect(filteredMetrics(run.resources, { status: '200', stage: 'prod' })).toEqual(new Set());
});
