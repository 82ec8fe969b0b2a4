import { Duration } from 'aws-cdk-lib';
import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { METRICS_NAMESPACE } from '../../lambda/shared/log/request-log.ts';
import type { AccessLogMetric } from '../api/access-log.ts';
import type { ApiFunction } from '../functions/node-function.ts';
import type { ServiceParts } from '../service-parts.ts';

const PERIOD = Duration.minutes(1);

/**
 * A metric that a function logs.
 *
 * @param service an operation's function, or AUTHORIZER
 * @param metricName a key of METRIC_UNITS, or a metric of the operation's own
 */
export function functionMetric(
  { stage }: ServiceParts,
  service: string,
  metricName: string,
  statistic = 'Sum',
): Metric {
  return metric(METRICS_NAMESPACE, metricName, { service, stage }, statistic);
}

/** The number of a function's errors with this code. */
export function errorCount(
  { stage }: ServiceParts,
  service: string,
  metricName: 'ClientErrors' | 'Faults',
  code: number,
): Metric {
  return metric(METRICS_NAMESPACE, metricName, { service, stage, error: `${code}` });
}

/** The number of a function's requests: it logs `Faults`, as 0 or 1, for each request. */
export function requestCount(parts: ServiceParts, service: string): Metric {
  return functionMetric(parts, service, 'Faults', 'SampleCount');
}

/** A metric of the whole stage: a metric from the access log, or the faults of all operations (not the authorizer). */
export function stageMetric(
  { stage }: ServiceParts,
  metricName: 'Faults' | AccessLogMetric,
  statistic = 'Sum',
): Metric {
  return metric(METRICS_NAMESPACE, metricName, { stage }, statistic);
}

/**
 * A metric of the API. The CDK's `deploymentStage.metric` would create a dependency cycle, because it refers to the
 * stage: the stage depends on the authorizer's alias, and the alias depends on the alarm that rolls it back.
 */
export function apiMetric(
  { stage, stackName }: ServiceParts,
  metricName: 'Count' | '4XXError' | '5XXError' | 'Latency',
  statistic = 'Sum',
): Metric {
  return metric('AWS/ApiGateway', metricName, { ApiName: stackName, Stage: stage }, statistic);
}

/** A metric of the live alias, which covers both versions while a deployment shifts traffic. */
export function aliasMetric({ alias }: ApiFunction, metricName: string): Metric {
  return alias.metric(metricName, { statistic: 'Sum', period: PERIOD });
}

/** The lines that CloudWatch receives for the access log. */
export function accessLogLines({ accessLog }: ServiceParts): Metric {
  return metric('AWS/Logs', 'IncomingLogEvents', { LogGroupName: accessLog.logGroupName });
}

/** The days until a certificate expires; CloudWatch has no data for a certificate that has expired or is deleted. */
export function daysToExpiry(CertificateArn: string): Metric {
  const period = Duration.days(1);
  return metric('AWS/CertificateManager', 'DaysToExpiry', { CertificateArn }, 'Minimum').with({
    period,
  });
}

interface ShareProps {
  /** The metrics that add up to the numerator, by their ids in the expression. */
  readonly numerator: Readonly<Record<string, Metric>>;
  readonly requests: Metric;
  /** Whether `requests` lacks the numerator, which is then added to it. */
  readonly addNumerator?: boolean;
  readonly period: Duration;
  /** With fewer requests, or a smaller numerator, the share is `shareOfFew`, because 1 of 5 requests proves little. */
  readonly minRequests?: number;
  readonly minNumerator?: number | undefined;
  /** The default is 0. */
  readonly shareOfFew?: number;
}

/**
 * A share of the requests, as metric math such as `IF(FILL(requests, 0) >= 10, (FILL(counted, 0)) / requests, 0)`. A
 * metric without data counts as 0 in the numerator.
 */
export function share(props: ShareProps): MathExpression {
  const { numerator, requests, addNumerator, period } = props;
  const { minRequests, minNumerator, shareOfFew = 0 } = props;
  const numeratorSum = Object.keys(numerator).map(orZero).join(' + ');
  const filled = orZero('requests');
  const allRequests = addNumerator ? `(${numeratorSum} + ${filled})` : filled;
  // Without requests, there is no share, instead of a division by zero.
  let expression = `(${numeratorSum}) / ${addNumerator ? allRequests : 'requests'}`;
  if (minNumerator !== undefined)
    expression = `IF(${numeratorSum} >= ${minNumerator}, ${expression}, ${shareOfFew})`;
  if (minRequests !== undefined)
    expression = `IF(${allRequests} >= ${minRequests}, ${expression}, ${shareOfFew})`;
  return new MathExpression({
    expression,
    // Sets the metrics' periods, because the CDK would otherwise override the periods and print a warning.
    usingMetrics: Object.fromEntries(
      Object.entries({ ...numerator, requests }).map(([id, each]) => [id, each.with({ period })]),
    ),
    period,
    label: 'share of requests',
  });
}

function orZero(id: string): string {
  return `FILL(${id}, 0)`;
}

/** The service level objective: over 28 days, 99.9% of requests have no fault, so 1 in 1,000 can have a fault. */
export const REQUESTS_PER_FAULT = 1_000;

/**
 * The share of requests that failed because of a service fault. An operation returns 400 for a fault, and every other
 * fault is a 5xx, so no fault is counted twice.
 */
export function faultShare(parts: ServiceParts, period: Duration, minNumerator?: number) {
  return share({
    // Uses the same two metrics for any number of operations, because an alarm can have at most 10 metrics.
    numerator: { faults: stageMetric(parts, 'Faults'), serverErrors: apiMetric(parts, '5XXError') },
    requests: apiMetric(parts, 'Count'),
    period,
    minNumerator,
  });
}

function metric(
  namespace: string,
  metricName: string,
  dimensionsMap: Record<string, string>,
  statistic = 'Sum',
): Metric {
  return new Metric({ namespace, metricName, dimensionsMap, statistic, period: PERIOD });
}
