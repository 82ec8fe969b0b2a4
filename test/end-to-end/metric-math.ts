import type { Json } from '../support/template-resources.ts';

export interface Metric {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: readonly { readonly Name: string; readonly Value: unknown }[];
  readonly statistic: string;
}

/**
 * Returns whether one datapoint breaches the threshold of an alarm in the template.
 *
 * @param measure returns NaN if CloudWatch has no data
 * @throws Error if the expression contains anything other than arithmetic, comparisons, `FILL` and `IF`
 */
export function isBreaching(
  { Threshold, Metrics = [], ...alarm }: Json,
  measure: (metric: Metric) => number,
): boolean {
  if (alarm.MetricName !== undefined) {
    return measure(metricOf(alarm, alarm.Statistic ?? alarm.ExtendedStatistic)) > Threshold;
  }
  const counted: Json[] = Metrics.filter(({ MetricStat }: Json) => MetricStat);
  const compute = compiled(
    Metrics.find((query: Json) => query.Expression).Expression,
    counted.map(({ Id }) => Id),
  );
  const values = counted.map(({ MetricStat: { Metric, Stat } }) => measure(metricOf(Metric, Stat)));
  return compute(values) > Threshold;
}

function metricOf({ Namespace, MetricName, Dimensions = [] }: Json, statistic: string): Metric {
  return { namespace: Namespace, name: MetricName, dimensions: Dimensions, statistic };
}

/** Compiles a metric math expression, which is also valid JavaScript. A metric without data is NaN. */
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
