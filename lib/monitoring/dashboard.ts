import { Duration } from 'aws-cdk-lib';
import {
  type Alarm,
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
import {
  emitted,
  ofApi,
  ofFunction,
  ofLog,
  ofTable,
  type ServiceParts,
  throttledRequests,
} from './metrics.ts';

export interface ServiceDashboardProps {
  readonly parts: ServiceParts;
  readonly alarms: readonly Alarm[];
}

/** The service at a glance: traffic and outcomes, latencies, faults and throttles, and what costs money. */
export class ServiceDashboard extends Dashboard {
  constructor(scope: Construct, id: string, { parts, alarms }: ServiceDashboardProps) {
    super(scope, id, {
      defaultInterval: Duration.hours(3),
      widgets: [
        alarms.length === 0
          ? []
          : [new AlarmStatusWidget({ title: 'Alarms', alarms: [...alarms], width: 24 })],
        [traffic(parts), outcomes(parts), authorizer(parts)],
        [refusals(parts), faults(parts), throttles(parts)],
        [latency(parts), storeLatency(parts), concurrency(parts)],
        [computeCost(parts), storeCost(parts), logCost(parts)],
      ],
    });
  }
}

const graph = (title: string, left: IMetric[], label: string): IWidget =>
  new GraphWidget({ title, left, leftYAxis: { label, min: 0, showUnits: false }, width: 8, height: 6 });

const PER_MINUTE = 'a minute';
const MILLISECONDS = 'ms';

const traffic = (parts: ServiceParts) =>
  graph(
    'Requests to the API',
    [
      ofApi(parts, 'Count', 'Sum').with({ label: 'requests' }),
      ofApi(parts, '4XXError', 'Sum').with({ label: '4xx' }),
      ofApi(parts, '5XXError', 'Sum').with({ label: '5xx' }),
    ],
    PER_MINUTE,
  );

const outcomes = (parts: ServiceParts) =>
  graph(
    'What became of plants',
    [
      emitted(parts, 'create-plant', 'PlantsCreated', 'Sum').with({ label: 'created' }),
      emitted(parts, 'create-plant', 'DuplicateRequests', 'Sum').with({ label: 'retries answered' }),
      emitted(parts, 'create-plant', 'ClientErrors', 'Sum').with({ label: 'rejected' }),
      emitted(parts, 'create-plant', 'Faults', 'Sum').with({ label: 'failed' }),
    ],
    PER_MINUTE,
  );

const authorizer = (parts: ServiceParts) =>
  graph(
    'Tokens checked (cached answers are not)',
    [
      emitted(parts, 'authorize', 'AllowedRequests', 'Sum').with({ label: 'allowed' }),
      emitted(parts, 'authorize', 'ClientErrors', 'Sum').with({ label: 'rejected' }),
      emitted(parts, 'authorize', 'Faults', 'Sum').with({ label: 'failed' }),
    ],
    PER_MINUTE,
  );

const refusals = (parts: ServiceParts) =>
  graph(
    'ClientErrors by error number',
    Object.values(operationErrors)
      .filter((number) => !isFault(number))
      .map(({ code, message }) =>
        emitted(parts, 'create-plant', 'ClientErrors', 'Sum', code).with({ label: `${code} ${message}` }),
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
          emitted(parts, 'create-plant', 'Faults', 'Sum', code).with({ label: `${code} ${message}` }),
        ),
      emitted(parts, 'authorize', 'Faults', 'Sum').with({ label: 'tokens not checked' }),
      ofFunction(parts.createPlant, 'Errors', 'Sum').with({ label: 'createPlant crashed' }),
    ],
    PER_MINUTE,
  );

const throttles = (parts: ServiceParts) =>
  graph(
    'Throttled',
    [
      throttledRequests(parts).with({ label: 'by API Gateway' }),
      ofFunction(parts.createPlant, 'Throttles', 'Sum').with({ label: 'createPlant, by Lambda' }),
      ofFunction(parts.authorize, 'Throttles', 'Sum').with({ label: 'authorizer, by Lambda' }),
      ofTable(parts.plants, 'WriteThrottleEvents').with({ label: 'plants, by DynamoDB' }),
      ofTable(parts.tokens, 'ReadThrottleEvents').with({ label: 'tokens, by DynamoDB' }),
    ],
    PER_MINUTE,
  );

const latency = (parts: ServiceParts) =>
  graph(
    'Latency of the API',
    [
      ofApi(parts, 'Latency', 'p50').with({ label: 'p50' }),
      ofApi(parts, 'Latency', 'p99').with({ label: 'p99' }),
      ofApi(parts, 'IntegrationLatency', 'p99').with({ label: 'of it in createPlant, p99' }),
    ],
    MILLISECONDS,
  );

const storeLatency = (parts: ServiceParts) =>
  graph(
    'Latency within the functions',
    [
      emitted(parts, 'create-plant', 'PutLatency', 'p50').with({ label: 'the store, p50' }),
      emitted(parts, 'create-plant', 'PutLatency', 'p99').with({ label: 'the store, p99' }),
      emitted(parts, 'create-plant', 'Duration', 'p99').with({ label: 'createPlant, p99' }),
      emitted(parts, 'authorize', 'Duration', 'p99').with({ label: 'authorizer, p99' }),
    ],
    MILLISECONDS,
  );

const concurrency = ({ createPlant, authorize }: ServiceParts) =>
  graph(
    'Functions running at once',
    [
      ofFunction(createPlant, 'ConcurrentExecutions', 'Maximum').with({ label: 'createPlant' }),
      ofFunction(authorize, 'ConcurrentExecutions', 'Maximum').with({ label: 'authorizer' }),
    ],
    'at once',
  );

const computeCost = ({ createPlant, authorize }: ServiceParts) =>
  graph(
    'Cost: Lambda',
    [
      new MathExpression({
        expression: `(FILL(create, 0) + FILL(authorize, 0)) / 1000 * ${MEMORY_MB / 1024}`,
        usingMetrics: {
          create: ofFunction(createPlant, 'Duration', 'Sum'),
          authorize: ofFunction(authorize, 'Duration', 'Sum'),
        },
        label: 'GB-seconds',
        period: Duration.minutes(1),
      }),
      ofFunction(createPlant, 'Invocations', 'Sum').with({ label: 'createPlant, calls' }),
      ofFunction(authorize, 'Invocations', 'Sum').with({ label: 'authorizer, calls' }),
    ],
    PER_MINUTE,
  );

const storeCost = ({ plants, tokens }: ServiceParts) =>
  graph(
    'Cost: DynamoDB',
    [
      ofTable(plants, 'ConsumedWriteCapacityUnits').with({ label: 'write units, plants' }),
      ofTable(tokens, 'ConsumedReadCapacityUnits').with({ label: 'read units, tokens' }),
    ],
    PER_MINUTE,
  );

const logCost = ({ createPlant, authorize, api }: ServiceParts) =>
  graph(
    'Cost: bytes logged',
    [
      ofLog(createPlant.logGroup).with({ label: 'createPlant' }),
      ofLog(authorize.logGroup).with({ label: 'authorizer' }),
      ofLog(api.accessLog.logGroup).with({ label: 'access log' }),
    ],
    PER_MINUTE,
  );
