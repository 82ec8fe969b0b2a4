import { seededRandom } from '../seeded-random.ts';
import { type Outcome, play, type Scenario, WEEK } from './simulation.ts';
import { metricAlarm, type TemplateAlarm } from './template-alarms.ts';

/** A single alarm on a fixed share, which the error budget replaced: two of five minutes with more than 0.1 % faults. */
const BEFORE = metricAlarm('before', {
  AlarmActions: ['the topic'],
  MetricName: 'Faults',
  Statistic: 'Average',
  Period: 60,
  EvaluationPeriods: 5,
  DatapointsToAlarm: 2,
  Threshold: 0.001,
  ComparisonOperator: 'GreaterThanThreshold',
  TreatMissingData: 'notBreaching',
});

const TRAFFIC = [1, 10, 100, 1_000, 10_000];
const SHARES = [0.0002, 0.001, 0.005, 0.02, 0.1, 1];

/** A canary gets a tenth of the requests for five minutes, of which CloudWatch's delay leaves four. */
const CANARY = { share: 0.1, minutes: 4 };
/** The failing share of all requests: of a version that fails always, half of the time, in a tenth; and of chance. */
const CANARY_SHARES = [1 * CANARY.share, 0.5 * CANARY.share, 0.1 * CANARY.share, 0.0002];

/** Each cell shows the alarm before and the alarms of the template, as Markdown. */
interface Comparison {
  readonly alarms: readonly TemplateAlarm[];
  /** The rows. */
  readonly traffic: readonly number[];
  /** The columns. */
  readonly shares: readonly number[];
  readonly minutes: number;
  readonly runs: number;
}

/**
 * The tables of docs/operations.md. Each cell has its own seed, so that a row is the same without the others.
 *
 * @param traffic the rows, in requests a minute
 */
export function tables(alarms: readonly TemplateAlarm[], traffic: readonly number[] = TRAFFIC): string {
  const onFaults = alarms.filter(
    ({ notifies, metrics }) => notifies && metrics.some(({ name }) => name === 'Faults'),
  );
  const rollback = alarms.filter(({ name }) => name === 'CreatePlantFaults');
  const common = { alarms: onFaults, traffic, shares: SHARES };
  const [hour = ''] = compare({ ...common, minutes: 60, runs: 200 }, [mailWithin(60)]);
  const [days = '', mails = ''] = compare({ ...common, minutes: WEEK, runs: 10 }, [
    mailWithin(3 * 24 * 60),
    mailsEach,
  ]);
  const [canaries = ''] = compare(
    { alarms: rollback, traffic, shares: CANARY_SHARES, minutes: CANARY.minutes, runs: 500 },
    [raised],
  );
  const ofVersion = ['100 %', '50 %', '10 %', 'none, but 0.02 % of all'];
  return [
    `Chance of a mail in the first hour in which a share of the requests fails:\n\n${titled(SHARES.map(percent), hour)}`,
    `Chance of a mail in the first three days:\n\n${titled(SHARES.map(percent), days)}`,
    `Mails a week:\n\n${titled(SHARES.map(percent), mails)}`,
    `Chance that a version is rolled back that fails a share of its requests:\n\n${titled(ofVersion, canaries)}`,
  ].join('\n\n');
}

type Summary = (outcomes: readonly Outcome[]) => string;

/** The rows of one table for each summary. */
function compare({ alarms, traffic, shares, minutes, runs }: Comparison, summaries: readonly Summary[]) {
  const rows = traffic.map((requestsPerMinute) => ({
    requestsPerMinute,
    cells: shares.map((failing) =>
      [[BEFORE], alarms].map((set) => repeat(runs, set, { requestsPerMinute, failing, minutes })),
    ),
  }));
  return summaries.map((summary) =>
    rows
      .map(({ requestsPerMinute, cells }) =>
        line([requestsPerMinute.toLocaleString('en'), ...cells.map((sets) => sets.map(summary).join(' → '))]),
      )
      .join('\n'),
  );
}

function repeat(runs: number, alarms: readonly TemplateAlarm[], scenario: Scenario): readonly Outcome[] {
  const random = seededRandom(scenario.requestsPerMinute + Math.round(scenario.failing * 1e6));
  return Array.from({ length: runs }, () => play(alarms, scenario, random));
}

const mailWithin = (minutes: number): Summary =>
  share(({ first = Number.POSITIVE_INFINITY }) => first <= minutes);

const raised: Summary = share((outcome) => outcome.raised.size > 0);

function share(happened: (outcome: Outcome) => boolean): Summary {
  return (outcomes) => percent(outcomes.filter(happened).length / outcomes.length);
}

const mailsEach: Summary = (outcomes) => {
  const mean = outcomes.reduce((sum, { mails }) => sum + mails, 0) / outcomes.length;
  return mean < 10 ? `${Number(mean.toFixed(1))}` : Math.round(mean).toLocaleString('en');
};

function percent(value: number): string {
  return `${Number((value * 100).toPrecision(3))} %`;
}

function titled(columns: readonly string[], rows: string): string {
  return [line(['requests a minute', ...columns]), line(['---:', ...columns.map(() => '---:')]), rows].join(
    '\n',
  );
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
