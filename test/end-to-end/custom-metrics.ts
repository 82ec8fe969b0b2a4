import { METRICS_NAMESPACE } from '../../lambda/shared/log/request-log.ts';
import { type Json, ofType, type Resource, readable } from '../support/template-resources.ts';

/** Returns a custom metric's identity, such as `Faults service=authorize stage=prod`; undefined for AWS's metrics. */
function identity([namespace, name, ...dimensions]: readonly string[]): string[] {
  if (namespace !== METRICS_NAMESPACE) return [];
  const keys = dimensions.filter((_, index) => index % 2 === 0);
  const pairs = keys.map((key, index) => `${key}=${dimensions[2 * index + 1]}`);
  return [[name, ...pairs.sort()].join(' ')];
}

/** Returns the metrics that CloudWatch would extract from lines in the embedded metric format. */
export function emittedMetrics(lines: readonly Json[]): string[] {
  const sets: Json[] = lines.flatMap((line) =>
    line._aws.CloudWatchMetrics.map((set: Json) => ({ line, set })),
  );
  return sets.flatMap(({ line, set: { Namespace, Dimensions, Metrics } }) =>
    Dimensions.flatMap((keys: string[]) =>
      Metrics.filter(({ Name }: Json) => typeof line[Name] === 'number').flatMap(({ Name }: Json) =>
        identity([Namespace, Name, ...keys.flatMap((key) => [key, line[key]])]),
      ),
    ),
  );
}

/** Returns the custom metrics that alarms and the dashboard use. */
export function watchedMetrics(resources: readonly Resource[]): string[] {
  const ofAlarms = ofType(resources, 'AWS::CloudWatch::Alarm').flatMap(({ Properties: { Metrics = [] } }) =>
    Metrics.filter(({ MetricStat }: Json) => MetricStat).map(({ MetricStat: { Metric } }: Json) => {
      const dimensions = Metric.Dimensions.flatMap(({ Name, Value }: Json) => [Name, readable(Value)]);
      return [Metric.Namespace, Metric.MetricName, ...dimensions];
    }),
  );
  const ofWidgets = ofType(resources, 'AWS::CloudWatch::Dashboard').flatMap(({ Properties }) =>
    JSON.parse(readable(Properties.DashboardBody)).widgets.flatMap(({ properties }: Json) =>
      (properties.metrics ?? []).map((row: Json[]) => row.filter((entry) => typeof entry === 'string')),
    ),
  );
  return [...ofAlarms, ...ofWidgets].flatMap(identity);
}
