import { Duration } from 'aws-cdk-lib';
import {
  type AlarmBase,
  AlarmStatusWidget,
  Dashboard,
  GraphWidget,
  type IMetric,
  type IWidget,
  MathExpression,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { isFault, operationErrors } from '../../lambda/shared/errors.ts';
import { MEMORY_MB } from '../functions/node-function.ts';
import { errorBudgetWidgets } from './error-budget-widgets.ts';
import {
  apiMetric,
  customMetric,
  functionMetric,
  logMetric,
  type ServiceParts,
  tableMetric,
  throttledRequests,
} from './metrics.ts';

interface ServiceDashboardProps {
  readonly parts: ServiceParts;
  readonly alarms: readonly AlarmBase[];
}

/** Traffic, outcomes, errors, throttles, latencies and what costs money. */
export class ServiceDashboard extends Dashboard {
  constructor(scope: Construct, id: string, { parts, alarms }: ServiceDashboardProps) {
    super(scope, id, {
      defaultInterval: Duration.hours(3),
      widgets: [
        alarms.length === 0
          ? []
          : [new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms], width: 24 })],
        errorBudgetWidgets(parts),
        [traffic(parts), outcomes(parts), authorizer(parts)],
        [clientErrors(parts), faults(parts), throttles(parts)],
        [latency(parts), functionLatency(parts), concurrency(parts)],
        [computeCost(parts), tableCost(parts), logCost(parts)],
      ],
    });
  }
}

const graph = (title: string, left: IMetric[], label: string): IWidget =>
  new GraphWidget({ title, left, leftYAxis: { label, min: 0, showUnits: false }, width: 8, height: 6 });

const PER_MINUTE = 'per minute';
const MILLISECONDS = 'ms';

const traffic = (parts: ServiceParts) =>
  graph(
    'Requests to the API',
    [
      apiMetric(parts, 'Count', 'Sum').with({ label: 'requests' }),
      apiMetric(parts, '4XXError', 'Sum').with({ label: '4xx' }),
      apiMetric(parts, '5XXError', 'Sum').with({ label: '5xx' }),
    ],
    PER_MINUTE,
  );

const outcomes = (parts: ServiceParts) =>
  graph(
    'Outcomes of createPlant',
    [
      customMetric(parts, 'create-plant', 'PlantsCreated', 'Sum').with({ label: 'created' }),
      customMetric(parts, 'create-plant', 'DuplicateRequests', 'Sum').with({ label: 'duplicates' }),
      customMetric(parts, 'create-plant', 'ClientErrors', 'Sum').with({ label: 'rejected' }),
      customMetric(parts, 'create-plant', 'Faults', 'Sum').with({ label: 'failed' }),
    ],
    PER_MINUTE,
  );

const authorizer = (parts: ServiceParts) =>
  graph(
    'Tokens checked (without cached results)',
    [
      customMetric(parts, 'authorize', 'AllowedRequests', 'Sum').with({ label: 'allowed' }),
      customMetric(parts, 'authorize', 'ClientErrors', 'Sum').with({ label: 'rejected' }),
      customMetric(parts, 'authorize', 'Faults', 'Sum').with({ label: 'failed' }),
    ],
    PER_MINUTE,
  );

const clientErrors = (parts: ServiceParts) =>
  graph(
    'ClientErrors by error code',
    Object.values(operationErrors)
      .filter((spec) => !isFault(spec))
      .map(({ code, message }) =>
        customMetric(parts, 'create-plant', 'ClientErrors', 'Sum', code).with({
          label: `${code} ${message}`,
        }),
      ),
    PER_MINUTE,
  );

const faults = (parts: ServiceParts) =>
  graph(
    'Faults',
    [
      ...Object.values(operationErrors)
        .filter(isFault)
        .map(({ code, message }) =>
          customMetric(parts, 'create-plant', 'Faults', 'Sum', code).with({ label: `${code} ${message}` }),
        ),
      customMetric(parts, 'authorize', 'Faults', 'Sum').with({ label: 'authorizer faults' }),
      functionMetric(parts.createPlant, 'Errors', 'Sum').with({ label: 'createPlant crashed' }),
    ],
    PER_MINUTE,
  );

const throttles = (parts: ServiceParts) =>
  graph(
    'Throttled',
    [
      throttledRequests(parts).with({ label: 'by API Gateway' }),
      functionMetric(parts.createPlant, 'Throttles', 'Sum').with({ label: 'createPlant, by Lambda' }),
      functionMetric(parts.authorize, 'Throttles', 'Sum').with({ label: 'authorizer, by Lambda' }),
      tableMetric(parts.plants, 'WriteThrottleEvents').with({ label: 'plants, by DynamoDB' }),
      tableMetric(parts.tokens, 'ReadThrottleEvents').with({ label: 'tokens, by DynamoDB' }),
    ],
    PER_MINUTE,
  );

const latency = (parts: ServiceParts) =>
  graph(
    'Latency of the API',
    [
      apiMetric(parts, 'Latency', 'p50').with({ label: 'p50' }),
      apiMetric(parts, 'Latency', 'p99').with({ label: 'p99' }),
      apiMetric(parts, 'IntegrationLatency', 'p99').with({ label: 'createPlant, p99' }),
    ],
    MILLISECONDS,
  );

const functionLatency = (parts: ServiceParts) =>
  graph(
    'Latency within the functions',
    [
      customMetric(parts, 'create-plant', 'PutLatency', 'p50').with({ label: 'DynamoDB, p50' }),
      customMetric(parts, 'create-plant', 'PutLatency', 'p99').with({ label: 'DynamoDB, p99' }),
      customMetric(parts, 'create-plant', 'Duration', 'p99').with({ label: 'createPlant, p99' }),
      customMetric(parts, 'authorize', 'Duration', 'p99').with({ label: 'authorizer, p99' }),
    ],
    MILLISECONDS,
  );

const concurrency = ({ createPlant, authorize }: ServiceParts) =>
  graph(
    'Concurrent executions',
    [
      functionMetric(createPlant, 'ConcurrentExecutions', 'Maximum').with({ label: 'createPlant' }),
      functionMetric(authorize, 'ConcurrentExecutions', 'Maximum').with({ label: 'authorizer' }),
    ],
    'concurrent',
  );

const computeCost = ({ createPlant, authorize }: ServiceParts) =>
  graph(
    'Cost: Lambda',
    [
      new MathExpression({
        expression: `(FILL(create, 0) + FILL(authorize, 0)) / 1000 * ${MEMORY_MB / 1024}`,
        usingMetrics: {
          create: functionMetric(createPlant, 'Duration', 'Sum'),
          authorize: functionMetric(authorize, 'Duration', 'Sum'),
        },
        label: 'GB-seconds',
        period: Duration.minutes(1),
      }),
      functionMetric(createPlant, 'Invocations', 'Sum').with({ label: 'createPlant invocations' }),
      functionMetric(authorize, 'Invocations', 'Sum').with({ label: 'authorizer invocations' }),
    ],
    PER_MINUTE,
  );

const tableCost = ({ plants, tokens }: ServiceParts) =>
  graph(
    'Cost: DynamoDB',
    [
      tableMetric(plants, 'ConsumedWriteCapacityUnits').with({ label: 'write units, plants' }),
      tableMetric(tokens, 'ConsumedReadCapacityUnits').with({ label: 'read units, tokens' }),
    ],
    PER_MINUTE,
  );

const logCost = ({ createPlant, authorize, api }: ServiceParts) =>
  graph(
    'Cost: bytes logged',
    [
      logMetric(createPlant.logGroup).with({ label: 'createPlant' }),
      logMetric(authorize.logGroup).with({ label: 'authorizer' }),
      logMetric(api.accessLog.logGroup).with({ label: 'access log' }),
    ],
    PER_MINUTE,
  );
