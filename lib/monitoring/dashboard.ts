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
import type { DeployedOperation } from '../api/plants-api.ts';
import { MEMORY_MB } from '../functions/node-function.ts';
import { errorBudgetWidgets } from './error-budget-widgets.ts';
import {
  accessMetrics,
  apiMetric,
  customMetric,
  functionMetric,
  logMetric,
  type ServiceParts,
  throttledRequests,
} from './metrics.ts';

interface ServiceDashboardProps {
  readonly parts: ServiceParts;
  readonly alarms: readonly IAlarm[];
}

/** Traffic, outcomes, errors, throttles, latencies and what costs money. */
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
const MILLISECONDS = 'ms';

/** A metric of Lambda, of each operation. */
const ofEach = (
  { operations }: ServiceParts,
  metricName: string,
  statistic: string,
  label: (operationId: string) => string,
): IMetric[] =>
  operations.map(({ operationId, function: apiFunction }) =>
    functionMetric(apiFunction, metricName, statistic).with({ label: label(operationId) }),
  );

/** A custom metric of an operation for one error code. */
const byError = (
  parts: ServiceParts,
  { operationId, functionName }: DeployedOperation,
  metricName: MetricName,
  { code, message }: ErrorSpec,
): IMetric => {
  const label = parts.operations.length === 1 ? message : `${message} (${operationId})`;
  return customMetric(parts, functionName, metricName, 'Sum', code).with({ label: `${code} ${label}` });
};

const traffic = (parts: ServiceParts) =>
  graph('Requests to the API', PER_MINUTE, [
    apiMetric(parts, 'Count', 'Sum').with({ label: 'requests' }),
    apiMetric(parts, '4XXError', 'Sum').with({ label: '4xx' }),
    apiMetric(parts, '5XXError', 'Sum').with({ label: '5xx' }),
  ]);

const outcomes = (parts: ServiceParts) =>
  parts.operations.map(({ operationId, functionName, outcomes: successes }) =>
    graph(`Outcomes of ${operationId}`, PER_MINUTE, [
      customMetric(parts, functionName, 'Faults', 'SampleCount').with({ label: 'requests' }),
      ...successes.map(({ label, metric }) =>
        customMetric(parts, functionName, metric, 'Sum').with({ label }),
      ),
      customMetric(parts, functionName, 'ClientErrors', 'Sum').with({ label: 'rejected' }),
      customMetric(parts, functionName, 'Faults', 'Sum').with({ label: 'failed' }),
    ]),
  );

const authorizer = (parts: ServiceParts) =>
  graph('Tokens checked (without cached results)', PER_MINUTE, [
    customMetric(parts, 'authorize', 'AllowedRequests', 'Sum').with({ label: 'allowed' }),
    customMetric(parts, 'authorize', 'ClientErrors', 'Sum').with({ label: 'rejected' }),
    customMetric(parts, 'authorize', 'Faults', 'Sum').with({ label: 'failed' }),
  ]);

const clientErrors = (parts: ServiceParts) =>
  graph(
    'ClientErrors by error code',
    PER_MINUTE,
    parts.operations.flatMap((operation) =>
      operation.clientErrors.map((error) => byError(parts, operation, 'ClientErrors', error)),
    ),
  );

const faults = (parts: ServiceParts) =>
  graph('Faults', PER_MINUTE, [
    ...parts.operations.flatMap((operation) =>
      Object.values(operationErrors)
        .filter(isFault)
        .map((error) => byError(parts, operation, 'Faults', error)),
    ),
    customMetric(parts, 'authorize', 'Faults', 'Sum').with({ label: 'authorizer faults' }),
    ...ofEach(parts, 'Errors', 'Sum', (operationId) => `${operationId} crashed`),
  ]);

const throttles = (parts: ServiceParts) =>
  graph('Throttled', PER_MINUTE, [
    throttledRequests(parts).with({ label: 'by API Gateway' }),
    ...ofEach(parts, 'Throttles', 'Sum', (operationId) => `${operationId}, by Lambda`),
    functionMetric(parts.authorize, 'Throttles', 'Sum').with({ label: 'authorizer, by Lambda' }),
    ...parts.tables.flatMap((table) => accessMetrics(table, (access) => `${access}ThrottleEvents`)),
  ]);

const latency = (parts: ServiceParts) =>
  graph('Latency of the API', MILLISECONDS, [
    apiMetric(parts, 'Latency', 'p50').with({ label: 'p50' }),
    apiMetric(parts, 'Latency', 'p99').with({ label: 'p99' }),
    apiMetric(parts, 'IntegrationLatency', 'p99').with({ label: 'operations, p99' }),
  ]);

const functionLatency = (parts: ServiceParts) =>
  graph('Latency within the functions', MILLISECONDS, [
    ...parts.operations
      .filter(({ tables }) => tables.some(({ actions }) => actions.includes('dynamodb:PutItem')))
      .flatMap(({ operationId, functionName }) =>
        ['p50', 'p99'].map((statistic) =>
          customMetric(parts, functionName, 'PutLatency', statistic).with({
            label: `DynamoDB (${operationId}), ${statistic}`,
          }),
        ),
      ),
    ...parts.operations.map(({ operationId, functionName }) =>
      customMetric(parts, functionName, 'Duration', 'p99').with({ label: `${operationId}, p99` }),
    ),
    customMetric(parts, 'authorize', 'Duration', 'p99').with({ label: 'authorizer, p99' }),
  ]);

const concurrency = (parts: ServiceParts) =>
  graph('Concurrent executions', 'concurrent', [
    ...ofEach(parts, 'ConcurrentExecutions', 'Maximum', (operationId) => operationId),
    functionMetric(parts.authorize, 'ConcurrentExecutions', 'Maximum').with({ label: 'authorizer' }),
  ]);

const computeCost = (parts: ServiceParts) => {
  const durations = {
    ...Object.fromEntries(
      parts.operations.map(({ operationId, function: apiFunction }) => [
        operationId,
        functionMetric(apiFunction, 'Duration', 'Sum'),
      ]),
    ),
    authorize: functionMetric(parts.authorize, 'Duration', 'Sum'),
  };
  const sum = Object.keys(durations)
    .map((id) => `FILL(${id}, 0)`)
    .join(' + ');
  return graph('Cost: Lambda', PER_MINUTE, [
    new MathExpression({
      expression: `(${sum}) / 1000 * ${MEMORY_MB / 1024}`,
      usingMetrics: durations,
      label: 'GB-seconds',
      period: Duration.minutes(1),
    }),
    ...ofEach(parts, 'Invocations', 'Sum', (operationId) => `${operationId} invocations`),
    functionMetric(parts.authorize, 'Invocations', 'Sum').with({ label: 'authorizer invocations' }),
  ]);
};

const tableCost = ({ tables }: ServiceParts) =>
  graph(
    'Cost: DynamoDB',
    PER_MINUTE,
    tables.flatMap((table) => accessMetrics(table, (access) => `Consumed${access}CapacityUnits`)),
  );

const logCost = ({ operations, authorize, api }: ServiceParts) =>
  graph('Cost: bytes logged', PER_MINUTE, [
    ...operations.map(({ operationId, function: { logGroup } }) =>
      logMetric(logGroup).with({ label: operationId }),
    ),
    logMetric(authorize.logGroup).with({ label: 'authorizer' }),
    logMetric(api.accessLog.logGroup).with({ label: 'access log' }),
  ]);
