import type { Cold, Warm } from './measure.ts';
import { type Spread, spreadOf } from './statistics.ts';
import type { Kind, Variant } from './variants.ts';

const MB = 1_000_000;

/** What one round measured of a variant; not each is measured warm. */
export interface Measured {
  readonly cold: Cold;
  readonly warm?: Warm;
}

/** What one round measured, by the variant's name. */
export type Round = Record<string, Measured>;

type Quantity = (measured: Measured) => number | undefined;

const initMs: Quantity = ({ cold }) => cold.initMs;
const firstCallMs: Quantity = ({ cold }) => cold.firstCallMs;
const sumMs: Quantity = ({ cold }) => cold.initMs + cold.firstCallMs;
const cpuMs: Quantity = ({ cold }) => cold.cpuMs;
const rssMB: Quantity = ({ cold }) => cold.rssBytes / MB;
const warmCpuUs: Quantity = ({ warm }) => warm?.warmCpuUs;
const growthMB: Quantity = ({ warm }) => warm && warm.rssGrowthBytes / MB;

export function report(kind: Kind, variants: readonly Variant[], rounds: readonly Round[]): string {
  return `\n## ${kind}\n\n${table(variants, rounds)}\n\n${ratios(kind, rounds)}\n`;
}

function table(variants: readonly Variant[], rounds: readonly Round[]): string {
  const columns: [string, Quantity, number][] = [
    ['init ms', initMs, 1],
    ['first call ms', firstCallMs, 1],
    ['sum ms', sumMs, 1],
    ['CPU ms', cpuMs, 1],
    ['RSS MB', rssMB, 1],
    ['warm CPU µs', warmCpuUs, 0],
    ['growth MB', growthMB, 1],
  ];
  const rows = variants.map(({ name, bytes }) => [
    name,
    bytes.toLocaleString('en'),
    ...columns.map(([, quantity, digits]) => {
      const values = rounds.map((round) => measured(round, name, quantity));
      return values.includes(undefined) ? '' : spreadOf(values.map(Number)).median.toFixed(digits);
    }),
  ]);
  const head = ['variant', 'bytes', ...columns.map(([title]) => title)];
  const rule = head.map((_, column) => (column === 0 ? '---' : '---:'));
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function ratios(kind: Kind, rounds: readonly Round[]): string {
  const row = (
    label: string,
    goal: number | undefined,
    quantity: Quantity,
    rival: string,
    per = quantity,
  ) => {
    const spread = spreadOf(
      rounds.map((round) => Number(measured(round, 'ours', quantity)) / Number(measured(round, rival, per))),
    );
    return `| ${label} | ${goal === undefined ? '' : `≤ ${goal}`} | ${show(spread)} | ${verdict(spread, goal)} |`;
  };
  return [
    '| median of ratios per round | goal | measured (middle half) | |',
    '|---|---|---|---|',
    row('init + first call / usual', kind === 'authorize' ? 0.6 : 0.33, sumMs, 'usual'),
    row('init + first call / hand-written', 1.15, sumMs, 'hand-written'),
    row('init + first call / floor', undefined, sumMs, 'floor'),
    row('init + first call / CPU of an empty process', 3.2, sumMs, 'empty', cpuMs),
    row('first call / unprimed', 0.2, firstCallMs, 'unprimed'),
    row('init / unprimed', 1.15, initMs, 'unprimed'),
    row('init + first call / unprimed', undefined, sumMs, 'unprimed'),
    row('CPU up to the first answer / unprimed', undefined, cpuMs, 'unprimed'),
    row('RSS after the first call / usual', 0.75, rssMB, 'usual'),
    row('warm CPU per call / hand-written', 1.25, warmCpuUs, 'hand-written'),
  ].join('\n');
}

function measured(round: Round, name: string, quantity: Quantity): number | undefined {
  const variant = round[name];
  return variant && quantity(variant);
}

function show({ median, low, high }: Spread): string {
  return `${median.toFixed(2)} (${low.toFixed(2)}–${high.toFixed(2)})`;
}

function verdict({ median }: Spread, goal: number | undefined): string {
  if (goal === undefined) return '';
  return median <= goal ? 'met' : 'not met';
}
