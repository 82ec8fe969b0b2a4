import { Duration } from 'aws-cdk-lib';
import {
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IAlarm,
  type IMetric,
  type IWidget,
  MathExpression,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { type ErrorSpec, isFault, operationErrors } from '../../lambda/shared/errors.ts';
import type { MetricName } from '../../lambda/shared/log/request-log.ts';
import { MEMORY_MB } from '../functions/node-function.ts';
import type { Operation } from '../operations.ts';
import { errorBudgetWidgets } from './error-budget.ts';
import {
  accessMetrics,
  apiFunctions,
  apiMetric,
  customMetric,
  functionMetric,
  logMetric,
  type ServiceParts,
  stageMetric,
  sum,
} from './metrics.ts';

interface ServiceDashboardProps {
  readonly parts: ServiceParts;
  readonly alarms: readonly IAlarm[];
}

/** A dashboard of traffic, outcomes, errors, throttles, latencies and costs. */
export class ServiceDashboard extends Dashboard {
  constructor(scope: Construct, id: string, props: ServiceDashboardProps) {
    const { parts, alarms } = props;
    super(scope, id, {
      defaultInterval: Duration.hours(3),
      widgets: [
        alarms.length === 0
          ? []
          : [new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms], width: 24 })],
        errorBudgetWidgets(parts),
        [traffic(parts), ...outcomes(parts), authorizer(parts)],
        [clientErrors(parts), faults(parts), throttles(parts)],
        [latency(parts), functionLatency(parts), concurrency(parts)],
        [computeCost(parts), tableCost(parts), logCost(parts)],
      ],
    });
  }
}

const graph = (title: string, label: string, left: IMetric[]): IWidget =>
  new GraphWidget({ title, left, leftYAxis: { label, min: 0, showUnits: false }, width: 8, height: 6 });

const PER_MINUTE = 'per minute';

/** A Lambda metric for each function behind the API. */
const ofFunctions = (
  parts: ServiceParts,
  metricName: string,
  statistic: string,
  line: (label: string) => string,
): IMetric[] =>
  apiFunctions(parts).map(({ target, label }) =>
    functionMetric(target, metricName, statistic).with({ label: line(label) }),
  );

/** A custom metric for each operation and each of its error codes. */
const byError = (
  parts: ServiceParts,
  metricName: MetricName,
  errorsOf: (operation: Operation) => readonly ErrorSpec[],
): IMetric[] =>
  parts.operations.flatMap((operation) =>
    errorsOf(operation).map(({ code, message }) => {
      const { operationId, functionName } = operation;
      const label = parts.operations.length === 1 ? message : `${message} (${operationId})`;
      return customMetric(parts, functionName, metricName, 'Sum', code).with({ label: `${code} ${label}` });
    }),
  );

const traffic = (parts: ServiceParts) =>
  graph('Requests to the API', PER_MINUTE, [
    apiMetric(parts, 'Count').with({ label: 'requests' }),
    apiMetric(parts, '4XXError').with({ label: '4xx' }),
    apiMetric(parts, '5XXError').with({ label: '5xx' }),
  ]);

const outcomes = (parts: ServiceParts) =>
  parts.operations.map(({ operationId, functionName, outcomes: successes }) =>
    graph(`Outcomes of ${operationId}`, PER_MINUTE, [
      customMetric(parts, functionName, 'Faults', 'SampleCount').with({ label: 'requests' }),
      ...successes.map(({ label, metric }) => customMetric(parts, functionName, metric).with({ label })),
      customMetric(parts, functionName, 'ClientErrors').with({ label: 'rejected' }),
      customMetric(parts, functionName, 'Faults').with({ label: 'failed' }),
    ]),
  );

const authorizer = (parts: ServiceParts) =>
  graph('Tokens checked (excluding cached results)', PER_MINUTE, [
    customMetric(parts, 'authorize', 'AllowedRequests').with({ label: 'allowed' }),
    customMetric(parts, 'authorize', 'ClientErrors').with({ label: 'rejected' }),
    customMetric(parts, 'authorize', 'Faults').with({ label: 'failed' }),
  ]);

const clientErrors = (parts: ServiceParts) =>
  graph(
    'ClientErrors by error code',
    PER_MINUTE,
    byError(parts, 'ClientErrors', (operation) => operation.clientErrors),
  );

const faults = (parts: ServiceParts) =>
  graph('Faults', PER_MINUTE, [
    ...byError(parts, 'Faults', () => Object.values(operationErrors).filter(isFault)),
    customMetric(parts, 'authorize', 'Faults').with({ label: 'authorizer faults' }),
    ...parts.operations.map(({ operationId, function: target }) =>
      functionMetric(target, 'Errors').with({ label: `failed invocations (${operationId})` }),
    ),
  ]);

const throttles = (parts: ServiceParts) =>
  graph('Throttled', PER_MINUTE, [
    stageMetric(parts, 'Throttled').with({ label: 'API Gateway' }),
    ...ofFunctions(parts, 'Throttles', 'Sum', (label) => `Lambda (${label})`),
    ...parts.tables.flatMap((table) => accessMetrics(table, (access) => `${access}ThrottleEvents`)),
  ]);

const latency = (parts: ServiceParts) =>
  graph('API latency', 'ms', [
    apiMetric(parts, 'Latency', 'p50').with({ label: 'p50' }),
    apiMetric(parts, 'Latency', 'p99').with({ label: 'p99' }),
    apiMetric(parts, 'IntegrationLatency', 'p99').with({ label: 'p99 of the operations only' }),
  ]);

const functionLatency = (parts: ServiceParts) =>
  graph('Function latency', 'ms', [
    ...parts.operations
      .filter(({ tables }) => tables.some(({ actions }) => actions.includes('dynamodb:PutItem')))
      .flatMap(({ operationId, functionName }) =>
        ['p50', 'p99'].map((statistic) =>
          customMetric(parts, functionName, 'PutLatency', statistic).with({
            label: `DynamoDB (${operationId}), ${statistic}`,
          }),
        ),
      ),
    ...apiFunctions(parts).map(({ label, service }) =>
      customMetric(parts, service, 'Duration', 'p99').with({ label: `${label}, p99` }),
    ),
  ]);

const concurrency = (parts: ServiceParts) =>
  graph(
    'Concurrent executions',
    'executions',
    ofFunctions(parts, 'ConcurrentExecutions', 'Maximum', (label) => label),
  );

const computeCost = (parts: ServiceParts) => {
  const durations = Object.fromEntries(
    apiFunctions(parts).map(({ label, target }) => [label, functionMetric(target, 'Duration')]),
  );
  return graph('Cost: Lambda', PER_MINUTE, [
    new MathExpression({
      expression: `(${sum(Object.keys(durations))}) / 1000 * ${MEMORY_MB / 1024}`,
      usingMetrics: durations,
      label: 'GB-seconds',
      period: Duration.minutes(1),
    }),
    ...ofFunctions(parts, 'Invocations', 'Sum', (label) => `${label} invocations`),
  ]);
};

const tableCost = ({ tables }: ServiceParts) =>
  graph(
    'Cost: DynamoDB',
    PER_MINUTE,
    tables.flatMap((table) => accessMetrics(table, (access) => `Consumed${access}CapacityUnits`)),
  );

const logCost = (parts: ServiceParts) =>
  graph('Cost: bytes logged', PER_MINUTE, [
    ...apiFunctions(parts).map(({ target, label }) => logMetric(target.logGroup).with({ label })),
    logMetric(parts.api.accessLog.logGroup).with({ label: 'access log' }),
  ]);
