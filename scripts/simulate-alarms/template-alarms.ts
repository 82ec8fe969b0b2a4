/** The alarms of a CloudFormation template, evaluated as CloudWatch's documentation describes it. */

// Jest looks up globals slowly.
const isMissing = Number.isNaN;

/** The requests of a span of time, and how many of them failed. */
export interface Span {
  readonly requests: number;
  readonly failures: number;
}

/** The requests from one minute to another. */
export type Traffic = (from: number, to: number) => Span;

export interface Metric {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: readonly Dimension[];
  readonly statistic: string;
}

interface Dimension {
  readonly Name: string;
  readonly Value: unknown;
}

/** A metric's value over a span, or NaN if CloudWatch has no data. */
export type Measure = (metric: Metric, span: Span) => number;

export interface TemplateAlarm {
  readonly name: string;
  /** Whether it sends a mail when it is raised, and another when it ends. */
  readonly notifies: boolean;
  readonly metrics: readonly Metric[];
  /** Begins in OK. The returned function must be called with the minutes in their order. */
  readonly start: (traffic: Traffic, measure: Measure) => (minute: number) => boolean;
}

interface TemplateResource {
  readonly Type: string;
  readonly Properties: AlarmProperties;
  readonly Metadata?: { readonly 'aws:cdk:path'?: string };
}

interface AlarmProperties {
  readonly AlarmActions?: readonly unknown[];
  readonly AlarmRule?: unknown;
  readonly Namespace?: string;
  readonly MetricName?: string;
  readonly Dimensions?: readonly Dimension[];
  readonly Statistic?: string;
  readonly ExtendedStatistic?: string;
  readonly Period?: number;
  readonly Metrics?: readonly MetricDataQuery[];
  readonly Threshold: number;
  readonly EvaluationPeriods: number;
  readonly DatapointsToAlarm?: number;
  readonly TreatMissingData?: string;
  readonly ComparisonOperator: string;
}

interface MetricDataQuery {
  readonly Id: string;
  readonly Expression?: string;
  readonly MetricStat?: {
    readonly Metric: {
      readonly Namespace: string;
      readonly MetricName: string;
      readonly Dimensions?: readonly Dimension[];
    };
    readonly Period: number;
    readonly Stat: string;
  };
}

/** @throws Error if an alarm has a form that this module cannot evaluate */
export function alarmsOf(resources: Readonly<Record<string, TemplateResource>>): readonly TemplateAlarm[] {
  const metricAlarms = new Map(
    Object.entries(resources)
      .filter(([, { Type }]) => Type === 'AWS::CloudWatch::Alarm')
      .map(([id, resource]) => [id, metricAlarm(nameOf(resource), resource.Properties)] as const),
  );
  const compositeAlarms = Object.values(resources)
    .filter(({ Type }) => Type === 'AWS::CloudWatch::CompositeAlarm')
    .map((resource) => compositeAlarm(nameOf(resource), resource.Properties, metricAlarms));
  return [...metricAlarms.values(), ...compositeAlarms];
}

/** The construct's name, such as `ApiLatency`. */
function nameOf({ Metadata }: TemplateResource): string {
  return Metadata?.['aws:cdk:path']?.split('/').slice(3, -1).join('/') ?? '';
}

/**
 * Windows slide: every minute, the alarm is evaluated over the periods that end then; once an hour if it covers
 * more than a day.
 *
 * @see https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarm-evaluation-window.html
 */
export function metricAlarm(name: string, properties: AlarmProperties): TemplateAlarm {
  const {
    Threshold,
    EvaluationPeriods,
    DatapointsToAlarm = EvaluationPeriods,
    TreatMissingData,
  } = properties;
  const { metrics, period, value } = metricOf(name, properties);
  if (properties.ComparisonOperator !== 'GreaterThanThreshold') throw unknownForm(name, 'comparison');
  if (TreatMissingData !== 'notBreaching') throw unknownForm(name, 'missing data');
  const interval = period * EvaluationPeriods > 24 * 60 ? 60 : 1;
  return {
    name,
    notifies: properties.AlarmActions !== undefined,
    metrics,
    start: (traffic, measure) => {
      let raised = false;
      // By the minute in which a period ends. Before the first minute, nothing was breaching.
      const breaching: boolean[] = [];
      return (minute) => {
        if (minute % interval !== 0) return raised;
        // Without data the value is NaN, which is not above the threshold.
        breaching[minute] = value(traffic(minute - period, minute), measure) > Threshold;
        let datapoints = 0;
        for (let end = minute; end > minute - period * EvaluationPeriods; end -= period) {
          if (breaching[end] === true) datapoints += 1;
        }
        raised = datapoints >= DatapointsToAlarm;
        return raised;
      };
    },
  };
}

interface AlarmMetric {
  readonly metrics: readonly Metric[];
  /** In minutes. */
  readonly period: number;
  readonly value: (span: Span, measure: Measure) => number;
}

function metricOf(name: string, properties: AlarmProperties): AlarmMetric {
  const { Namespace, MetricName, Dimensions = [], Period, Metrics = [] } = properties;
  const statistic = properties.Statistic ?? properties.ExtendedStatistic;
  if (MetricName !== undefined && Period !== undefined && statistic !== undefined) {
    const metric = { namespace: `${Namespace}`, name: MetricName, dimensions: Dimensions, statistic };
    return { metrics: [metric], period: Period / 60, value: (span, measure) => measure(metric, span) };
  }
  const metrics = Metrics.flatMap(({ Id: id, MetricStat }) => {
    if (MetricStat === undefined) return [];
    const { Metric, Period: seconds, Stat } = MetricStat;
    const { Namespace: namespace, MetricName: metricName, Dimensions: dimensions = [] } = Metric;
    return [{ id, seconds, namespace, name: metricName, dimensions, statistic: Stat }];
  });
  const [expression, ...others] = Metrics.flatMap(({ Expression }) => Expression ?? []);
  const [seconds, ...otherPeriods] = new Set(metrics.map((metric) => metric.seconds));
  if (expression === undefined || seconds === undefined || others.length + otherPeriods.length > 0) {
    throw unknownForm(name, 'metrics');
  }
  const compute = compiled(
    expression,
    metrics.map(({ id }) => id),
  );
  // A failing request belongs to one operation, so only the first of several metrics with the same name counts it.
  const isFirst = metrics.map(
    ({ name, statistic }, index) =>
      metrics.findIndex((other) => other.name === name && other.statistic === statistic) === index,
  );
  return {
    metrics,
    period: seconds / 60,
    value: (span, measure) =>
      compute(metrics.map((metric, at) => measure(metric, isFirst[at] ? span : { ...span, failures: 0 }))),
  };
}

/** Metric math with `FILL` and `IF` is an expression of JavaScript too, if a metric without data is NaN. */
function compiled(expression: string, ids: readonly string[]): (values: readonly number[]) => number {
  if (/[^\w\s.,()+*/<>=-]/.test(expression)) throw unknownForm(expression, 'expression');
  const compute = new Function('FILL', 'IF', ...ids, `return ${expression}`);
  return (values) => compute(fill, choose, ...values);
}

function fill(value: number, filler: number): number {
  return isMissing(value) ? filler : value;
}

function choose(condition: boolean, yes: number, no: number): number {
  return condition ? yes : no;
}

/** Whether one datapoint of an alarm is above its threshold. */
export function isBreaching(properties: AlarmProperties, measure: (metric: Metric) => number): boolean {
  const { value } = metricOf('the alarm', properties);
  return value({ requests: 0, failures: 0 }, measure) > properties.Threshold;
}

/** A rule of the form `ALARM("arn") AND ALARM("arn")`. */
function compositeAlarm(
  name: string,
  { AlarmRule, AlarmActions }: AlarmProperties,
  metricAlarms: ReadonlyMap<string, TemplateAlarm>,
): TemplateAlarm {
  const rule = JSON.stringify(AlarmRule).replaceAll('\\"', "'");
  if (/\b(?:OR|NOT|OK|INSUFFICIENT_DATA)\b/.test(rule)) throw unknownForm(name, 'rule');
  const parts = [...rule.matchAll(/"Fn::GetAtt":\["(\w+)","Arn"\]/g)].flatMap(
    ([, id = '']) => metricAlarms.get(id) ?? [],
  );
  if (parts.length !== 2) throw unknownForm(name, 'rule');
  return {
    name,
    notifies: AlarmActions !== undefined,
    metrics: parts.flatMap(({ metrics }) => metrics),
    start: (traffic, measure) => {
      const started = parts.map((part) => part.start(traffic, measure));
      return (minute) => started.map((raisedAt) => raisedAt(minute)).every((raised) => raised);
    },
  };
}

function unknownForm(name: string, part: string): Error {
  return new Error(`this simulation cannot evaluate the ${part} of ${name}`);
}
