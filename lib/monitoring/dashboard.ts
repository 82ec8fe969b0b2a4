import { Duration } from 'aws-cdk-lib';
import {
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IAlarm,
  type IMetric,
  MathExpression,
  SingleValueWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { isFault, operationErrors } from '../../lambda/shared/errors.ts';
import { AUTHORIZER } from '../../lambda/shared/log/request-log.ts';
import { apiFunctions, type ServiceParts } from '../service-parts.ts';
import {
  aliasMetric,
  apiMetric,
  errorCount,
  faultShare,
  functionMetric,
  REQUESTS_PER_FAULT,
  requestCount,
  stageMetric,
} from './metrics.ts';

interface ServiceDashboardProps {
  readonly parts: ServiceParts;
  readonly alarms: readonly IAlarm[];
}

export class ServiceDashboard extends Dashboard {
  constructor(scope: Construct, id: string, { parts, alarms }: ServiceDashboardProps) {
    super(scope, id, {
      defaultInterval: Duration.hours(3),
      widgets: [
        alarms.length === 0
          ? []
          : [new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms], width: 24 })],
        [objective(parts), traffic(parts), latency(parts)],
        [
          ...parts.operations.map((operation) => outcomeGraph(parts, operation)),
          faults(parts),
          tableErrors(parts),
        ],
      ],
    });
  }
}

const graph = (title: string, label: string, left: IMetric[]) =>
  new GraphWidget({
    title,
    left,
    leftYAxis: { label, min: 0, showUnits: false },
    width: 8,
    height: 6,
  });

const objective = (parts: ServiceParts) => {
  const period = Duration.days(1);
  return new SingleValueWidget({
    title: `Requests without a fault in the last 28 days (objective: ${100 - 100 / REQUESTS_PER_FAULT}%)`,
    metrics: [
      new MathExpression({
        expression: '100 * (1 - share)',
        usingMetrics: { share: faultShare(parts, period) },
        period,
        label: '%',
      }),
    ],
    setPeriodToTimeRange: true,
    start: '-P28D',
    end: 'P0D',
    width: 8,
    height: 6,
  });
};

const traffic = (parts: ServiceParts) =>
  graph('Requests to the API', 'per minute', [
    apiMetric(parts, 'Count').with({ label: 'requests' }),
    apiMetric(parts, '4XXError').with({ label: '4xx' }),
    apiMetric(parts, '5XXError').with({ label: '5xx' }),
    stageMetric(parts, 'Throttled').with({ label: 'throttled (429)' }),
    stageMetric(parts, 'RejectedCredentials').with({ label: 'rejected tokens (401, 403)' }),
  ]);

const latency = (parts: ServiceParts) =>
  graph('Latency', 'ms', [
    apiMetric(parts, 'Latency', 'p50').with({ label: 'API, p50' }),
    apiMetric(parts, 'Latency', 'p99').with({ label: 'API, p99' }),
    ...apiFunctions(parts).map(({ label, service }) =>
      functionMetric(parts, service, 'Duration', 'p99').with({ label: `${label}, p99` }),
    ),
    // Only operations that put items record this metric, with `observePut`.
    ...parts.operations
      .filter(({ tables }) => tables.some(({ actions }) => actions.includes('dynamodb:PutItem')))
      .map(({ operationId, functionName }) =>
        functionMetric(parts, functionName, 'PutLatency', 'p99').with({
          label: `DynamoDB (${operationId}), p99`,
        }),
      ),
  ]);

const outcomeGraph = (parts: ServiceParts, operation: ServiceParts['operations'][number]) => {
  const { operationId, functionName, clientErrors, metrics } = operation;
  return graph(`Outcomes of ${operationId}`, 'per minute', [
    requestCount(parts, functionName).with({ label: 'requests' }),
    ...Object.entries(metrics).map(([label, metric]) =>
      functionMetric(parts, functionName, metric).with({ label }),
    ),
    ...clientErrors.map(({ code, message }) =>
      errorCount(parts, functionName, 'ClientErrors', code).with({
        label: `${code} ${message}`,
      }),
    ),
  ]);
};

const faults = (parts: ServiceParts) =>
  graph('Faults', `per minute (objective: 1 in ${REQUESTS_PER_FAULT} requests)`, [
    ...parts.operations.flatMap(({ operationId, functionName, apiFunction }) => [
      ...Object.values(operationErrors)
        .filter(isFault)
        .map(({ code, message }) =>
          errorCount(parts, functionName, 'Faults', code).with({
            label: `${code} ${message} (${operationId})`,
          }),
        ),
      aliasMetric(apiFunction, 'Errors').with({ label: `failed invocations (${operationId})` }),
    ]),
    functionMetric(parts, AUTHORIZER, 'Faults').with({ label: 'authorizer faults' }),
  ]);

/** No alarm watches the tables: a throttle or error that outlasts the SDK's retries becomes a fault. */
const tableErrors = (parts: ServiceParts) =>
  graph(
    'Throttles and errors of the tables',
    'per minute',
    parts.tables.map(
      ({ id: label, tableName }) =>
        new MathExpression({
          // Finds the metrics of all actions, such as PutItem.
          expression: `SEARCH('{AWS/DynamoDB,TableName,Operation} TableName="${tableName}" MetricName=("ThrottledRequests" OR "SystemErrors")', 'Sum', 60)`,
          label,
        }),
    ),
  );
