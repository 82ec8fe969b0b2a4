import type { Cold } from './measure.ts';
import type { Kind, Variant } from './variants.ts';

/** The measurements of one variant in one round. Warm requests are not measured in every round. */
export interface Measured {
  readonly cold: Cold;
  readonly warmUs?: number;
}

/** The measurements of one round, by the variant's name. */
export type Round = Record<string, Measured>;

type Quantity = (measured: Measured) => number | undefined;

const initMs: Quantity = ({ cold }) => cold.initMs;
const firstCallMs: Quantity = ({ cold }) => cold.firstCallMs;
const sumMs: Quantity = ({ cold }) => cold.initMs + cold.firstCallMs;
const rssMB: Quantity = ({ cold }) => cold.rssBytes / 1_000_000;
const warmUs: Quantity = (measured) => measured.warmUs;

export function report(kind: Kind, variants: readonly Variant[], rounds: readonly Round[]): string {
  return `\n## ${kind}: CPU time in milliseconds, unless the column names a different unit\n\n${table(variants, rounds)}\n\n${ratios(kind, variants, rounds)}\n`;
}

function table(variants: readonly Variant[], rounds: readonly Round[]): string {
  const columns: [string, Quantity, number][] = [
    ['init', initMs, 1],
    ['first request', firstCallMs, 1],
    ['sum', sumMs, 1],
    ['RSS MB', rssMB, 1],
    ['warm request µs', warmUs, 0],
  ];
  const rows = variants.map(({ name, bytes }) => [
    name,
    bytes.toLocaleString('en'),
    ...columns.map(([, quantity, digits]) => {
      const values = rounds.map((round) => measured(round, name, quantity)).filter(isNumber);
      return values.length === 0 ? '' : spreadOf(values).median.toFixed(digits);
    }),
  ]);
  const head = ['variant', 'bytes', ...columns.map(([title]) => title)];
  const rule = head.map((_, column) => (column === 0 ? '---' : '---:'));
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function ratios(kind: Kind, variants: readonly Variant[], rounds: readonly Round[]): string {
  const row = (name: string, goal: number | undefined, quantity: Quantity, other: string, one = 'ours') => {
    const ratio = (round: Round) =>
      Number(measured(round, one, quantity)) / Number(measured(round, other, quantity));
    const spread = spreadOf(rounds.map(ratio).filter(isNumber));
    const label = `${name}${one === 'ours' ? '' : ` of ${one}`} / ${other}`;
    return `| ${label} | ${goal === undefined ? '' : `≤ ${goal}`} | ${show(spread)} | ${verdict(spread, goal)} |`;
  };
  return [
    '| ratio of CPU times or memory | goal | median of the rounds (interquartile range) | |',
    '|---|---|---|---|',
    row('sum', kind === 'authorize' ? 0.6 : 0.3, sumMs, 'usual'),
    row('sum', undefined, sumMs, 'usual', 'hand-written'),
    row('sum', kind === 'authorize' ? 1.1 : 1.13, sumMs, 'hand-written'),
    ...(variants.some(({ name }) => name === 'baseline') ? [row('sum', 1.03, sumMs, 'baseline')] : []),
    row('first request', 0.2, firstCallMs, 'without warm-up'),
    row('init', undefined, initMs, 'without warm-up'),
    row('sum', undefined, sumMs, 'without warm-up'),
    row('memory (RSS)', kind === 'authorize' ? undefined : 0.75, rssMB, 'usual'),
    row('warm request', 1.25, warmUs, 'hand-written'),
  ].join('\n');
}

function measured(round: Round, name: string, quantity: Quantity): number | undefined {
  const variant = round[name];
  return variant && quantity(variant);
}

function isNumber(value: number | undefined): value is number {
  return value !== undefined && !Number.isNaN(value);
}

function show({ median, low, high }: Spread): string {
  return `${median.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`;
}

function verdict({ median }: Spread, goal: number | undefined): string {
  if (goal === undefined) return '';
  return median <= goal ? 'met' : 'not met';
}

/** The median and the quartiles of several measurements. */
interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))] ?? Number.NaN;
  return { median: at(0.5), low: at(0.25), high: at(0.75) };
}
