import type { Measure, Metric, TemplateAlarm, Traffic } from './template-alarms.ts';

// Jest looks up globals slowly.
const { cos, exp, log, max, min, PI, round, sqrt } = Math;
const MISSING = Number.NaN;

const DAY = 24 * 60;
export const WEEK = 7 * DAY;
/** As long as the longest window: requests that all succeeded, before the failures begin. */
const HISTORY = 3 * DAY;

export interface Scenario {
  readonly requestsPerMinute: number;
  /** The share of the requests that fail, from minute 0. */
  readonly failing: number;
  readonly minutes: number;
  /** The metric that counts the failing requests. The default is `Faults`: they are faults of createPlant. */
  readonly countedBy?: string;
}

export interface Outcome {
  /** The minute of the first mail. */
  readonly first: number | undefined;
  /** An alarm sends one when it is raised, and one when it ends. */
  readonly mails: number;
  /** How often each alarm was raised, by its name. */
  readonly raised: ReadonlyMap<string, number>;
}

/** Plays a scenario against alarms. */
export function play(alarms: readonly TemplateAlarm[], scenario: Scenario, random: () => number): Outcome {
  const traffic = randomTraffic(scenario, random);
  const measure = measureFor(scenario);
  const running = alarms.map(({ start, ...alarm }) => ({ ...alarm, at: start(traffic, measure), on: false }));
  const raised = new Map<string, number>();
  let first: number | undefined;
  let mails = 0;
  for (let minute = 1; minute <= scenario.minutes; minute += 1) {
    for (const alarm of running) {
      const on = alarm.at(minute);
      if (on === alarm.on) continue;
      alarm.on = on;
      if (on) raised.set(alarm.name, (raised.get(alarm.name) ?? 0) + 1);
      if (!alarm.notifies) continue;
      mails += 1;
      first ??= minute;
    }
  }
  return { first, mails, raised };
}

function randomTraffic({ requestsPerMinute, failing, minutes }: Scenario, random: () => number): Traffic {
  const requests = new Float64Array(minutes + 1);
  const failures = new Float64Array(minutes + 1);
  for (let minute = 1; minute <= minutes; minute += 1) {
    const failed = poisson(requestsPerMinute * failing, random);
    const succeeded = poisson(requestsPerMinute * (1 - failing), random);
    requests[minute] = (requests[minute - 1] ?? 0) + failed + succeeded;
    failures[minute] = (failures[minute - 1] ?? 0) + failed;
  }
  const until = (sums: Float64Array, minute: number) => sums[max(minute, 0)] ?? 0;
  return (from, to) => {
    const before = min(to, 0) - max(min(from, 0), -HISTORY);
    return {
      requests: until(requests, to) - until(requests, from) + before * requestsPerMinute,
      failures: until(failures, to) - until(failures, from),
    };
  };
}

/** Knuth's algorithm, and the normal approximation above 30. */
function poisson(mean: number, random: () => number): number {
  if (mean === 0) return 0;
  if (mean > 30) {
    const normal = sqrt(-2 * log(1 - random())) * cos(2 * PI * random());
    return max(0, round(mean + sqrt(mean) * normal));
  }
  const limit = exp(-mean);
  let count = -1;
  for (let product = 1; product > limit; product *= random()) count += 1;
  return count;
}

/** Metrics of which CloudWatch has no data unless something was counted. */
const WITHOUT_ZEROS = new Set([
  'ClientErrors',
  'ReadThrottleEvents',
  'RejectedCredentials',
  'SystemErrors',
  'Throttled',
  'WriteThrottleEvents',
]);

/** Whether a metric counts requests, failing or not. */
export function countsRequests({ name, statistic }: Metric): boolean {
  return statistic === 'SampleCount' || name === 'Count' || name === 'Invocations';
}

function measureFor({ countedBy = 'Faults' }: Scenario): Measure {
  return (metric, { requests, failures }) => {
    const { name, statistic } = metric;
    const failed = name === countedBy ? failures : 0;
    if (WITHOUT_ZEROS.has(name)) return failed === 0 ? MISSING : failed;
    if (requests === 0) return MISSING;
    if (statistic === 'Average') return failed / requests;
    if (countsRequests(metric)) return requests;
    // A failing request is slow: the percentile is slow if more than the other percent is.
    if (statistic === 'p99') return failed > requests / 100 ? 10_000 : 100;
    return failed;
  };
}
