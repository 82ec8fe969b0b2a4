import type { Json } from '../support/template-resources.ts';

export interface Metric {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: readonly { readonly Name: string; readonly Value: unknown }[];
  readonly statistic: string;
}

/**
 * Whether one datapoint of an alarm of the template is above its threshold.
 *
 * @param valueOf returns NaN if CloudWatch has no data
 * @throws Error if the expression has more than arithmetic, comparisons, `FILL` and `IF`
 */
export function isBreaching(alarm: Json, valueOf: (metric: Metric) => number): boolean {
  const { Namespace, MetricName, Dimensions, Statistic, ExtendedStatistic, Metrics = [], Threshold } = alarm;
  if (MetricName !== undefined) {
    const identity = { Namespace, MetricName, Dimensions };
    return valueOf(metric(identity, Statistic ?? ExtendedStatistic)) > Threshold;
  }
  const counted = Metrics.filter(({ MetricStat }: Json) => MetricStat);
  const [{ Expression }] = Metrics.filter((query: Json) => query.Expression);
  const compute = compiled(
    Expression,
    counted.map(({ Id }: Json) => Id),
  );
  return (
    compute(counted.map(({ MetricStat: { Metric, Stat } }: Json) => valueOf(metric(Metric, Stat)))) >
    Threshold
  );
}

function metric({ Namespace, MetricName, Dimensions = [] }: Json, statistic: string): Metric {
  return { namespace: Namespace, name: MetricName, dimensions: Dimensions, statistic };
}

/** Such an expression is one of JavaScript too, if a metric without data is NaN. */
function compiled(expression: string, ids: readonly string[]): (values: readonly number[]) => number {
  if (/[^\w\s.,()+*/<>=-]/.test(expression)) throw new Error(`this test cannot compute ${expression}`);
  const compute = new Function('FILL', 'IF', ...ids, `return ${expression}`);
  return (values) => compute(fill, choose, ...values);
}

function fill(value: number, filler: number): number {
  return Number.isNaN(value) ? filler : value;
}

function choose(condition: boolean, yes: number, no: number): number {
  return condition ? yes : no;
}
