import { METRICS_NAMESPACE } from '../../lambda/shared/log/request-log.ts';
import { type Json, ofType, type Resource, readable } from '../support/template-resources.ts';

/** The identity of a metric in CloudWatch, such as `PlantStore Faults service=authorize stage=prod`. */
type MetricIdentity = string;

function identity(namespace: string, name: string, dimensions: Record<string, string>): MetricIdentity {
  const pairs = Object.entries(dimensions).map(([key, value]) => `${key}=${value}`);
  return [namespace, name, ...pairs.sort()].join(' ');
}

/** Returns the metrics that CloudWatch would extract from lines in the embedded metric format. */
export function emittedMetrics(lines: readonly Json[]): Set<MetricIdentity> {
  return new Set(
    lines.flatMap((line) =>
      (line._aws?.CloudWatchMetrics ?? []).flatMap(({ Namespace, Dimensions, Metrics }: Json) =>
        Dimensions.flatMap((keys: string[]) =>
          Metrics.filter(({ Name }: Json) => typeof line[Name] === 'number').map(({ Name }: Json) =>
            identity(Namespace, Name, Object.fromEntries(keys.map((key) => [key, line[key]]))),
          ),
        ),
      ),
    ),
  );
}

/** Returns the metrics that the template's metric filters would extract from a line in the access log. */
export function filteredMetrics(resources: readonly Resource[], context: Record<string, string>) {
  const [stage] = ofType(resources, 'AWS::ApiGateway::Stage');
  const { DestinationArn, Format } = stage?.Properties.AccessLogSetting ?? {};
  const line = JSON.parse(
    Format.replace(/\$context\.([\w.]+)/g, (_: string, name: string) => context[name] ?? '-'),
  );
  return new Set(
    ofType(resources, 'AWS::Logs::MetricFilter')
      .filter(({ Properties }) =>
        DestinationArn['Fn::Join']?.[1].some((part: Json) => hasLog(part, Properties)),
      )
      .filter(({ Properties }) => matches(line, Properties.FilterPattern))
      .flatMap(({ Properties }) => Properties.MetricTransformations)
      .map(({ MetricNamespace, MetricName, Dimensions }: Json) =>
        identity(
          MetricNamespace,
          MetricName,
          Object.fromEntries(Dimensions.map(({ Key, Value }: Json) => [Key, line[Value.slice('$.'.length)]])),
        ),
      ),
  );
}

function hasLog(part: Json, { LogGroupName }: Json): boolean {
  return JSON.stringify(part).includes(LogGroupName.Ref);
}

/** Supports the filter patterns in the template: `{ $.field = "value" }`, or several such conditions joined by `||`. */
function matches(line: Json, pattern: string): boolean {
  return pattern.split('||').some((part) => {
    const [, field = '', value] = /^[{ (]+\$\.(\w+) = "(\w+)"[) }]+$/.exec(part) ?? [];
    if (value === undefined) throw new Error(`this test cannot parse the filter pattern ${pattern}`);
    return line[field] === value;
  });
}

/** Returns the custom metrics that alarms and dashboards use, each with the alarm or widget that uses it. */
export function watchedMetrics(resources: readonly Resource[]): { metric: MetricIdentity; by: string }[] {
  const watched = [
    ...ofType(resources, 'AWS::CloudWatch::Alarm').flatMap(({ path, Properties }) =>
      alarmMetrics(Properties).map((metric) => ({ metric, by: path })),
    ),
    ...ofType(resources, 'AWS::CloudWatch::Dashboard').flatMap(({ Properties }) =>
      JSON.parse(readable(Properties.DashboardBody)).widgets.flatMap(({ properties }: Json) =>
        (properties.metrics ?? []).flatMap((row: Json[]) =>
          widgetMetrics(row).map((metric) => ({ metric, by: `widget ${properties.title}` })),
        ),
      ),
    ),
  ];
  return watched.filter(({ metric }) => metric.startsWith(`${METRICS_NAMESPACE} `));
}

function alarmMetrics({ Namespace, MetricName, Dimensions = [], Metrics = [] }: Json): MetricIdentity[] {
  const dimensionsOf = (dimensions: Json) =>
    Object.fromEntries(dimensions.map(({ Name, Value }: Json) => [Name, readable(Value)]));
  return [
    ...(MetricName === undefined ? [] : [identity(Namespace, MetricName, dimensionsOf(Dimensions))]),
    ...Metrics.filter(({ MetricStat }: Json) => MetricStat).map(({ MetricStat: { Metric } }: Json) =>
      identity(Metric.Namespace, Metric.MetricName, dimensionsOf(Metric.Dimensions ?? [])),
    ),
  ];
}

/** A widget's row is `[namespace, name, key, value, …, options]`, or an expression without a name. */
function widgetMetrics(row: Json[]): MetricIdentity[] {
  const [namespace, name, ...pairs] = row.filter((entry) => typeof entry === 'string');
  if (namespace === undefined || name === undefined) return [];
  const keys = pairs.filter((_, index) => index % 2 === 0);
  const values = pairs.filter((_, index) => index % 2 === 1);
  return [identity(namespace, name, Object.fromEntries(keys.map((key, index) => [key, `${values[index]}`])))];
}
