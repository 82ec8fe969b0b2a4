import { expect, test } from '@jest/globals';
import { listOperations } from '../../lib/operations.ts';
import { tableSpecs } from '../../lib/tables.ts';
import { stackResources } from '../support/assembly/stack-template.ts';
import { type Json, ofType, readable } from '../support/assembly/template-resources.ts';

test('the dashboard shows 3 hours of these metrics, each with its label, statistic and period', () => {
  const resources = stackResources({ stage: 'prod' });
  const [dashboard] = ofType(resources, 'AWS::CloudWatch::Dashboard');
  const { start, widgets } = JSON.parse(readable(dashboard?.Properties.DashboardBody));
  expect(start).toBe('-PT3H');
  const ofApi = 'ApiName PlantStore-prod Stage prod';
  const operations = listOperations().map(({ functionName, ...operation }) => {
    return { ...operation, dimensions: `service ${functionName} stage prod` };
  });
  expect(widgets.flatMap(({ properties }: Json) => readableRows(properties))).toEqual([
    `Alarms: ${ofType(resources, 'AWS::CloudWatch::Alarm').length}`,
    'Requests without a fault in the last 28 days (objective: 99.9%), all from -P28D to P0D',
    '%: 100 * (1 - share) 86400',
    'share: (FILL(faults, 0) + FILL(serverErrors, 0)) / requests 86400',
    'faults: PlantStore Faults stage prod Sum 86400',
    `serverErrors: AWS/ApiGateway 5XXError ${ofApi} Sum 86400`,
    `requests: AWS/ApiGateway Count ${ofApi} Sum 86400`,
    'Requests to the API, per minute',
    `requests: AWS/ApiGateway Count ${ofApi} Sum 60`,
    `4xx: AWS/ApiGateway 4XXError ${ofApi} Sum 60`,
    `5xx: AWS/ApiGateway 5XXError ${ofApi} Sum 60`,
    'throttled (429): PlantStore Throttled stage prod Sum 60',
    'rejected tokens (401, 403): PlantStore RejectedCredentials stage prod Sum 60',
    'Latency, ms',
    `API, p50: AWS/ApiGateway Latency ${ofApi} p50 60`,
    `API, p99: AWS/ApiGateway Latency ${ofApi} p99 60`,
    ...operations.map(
      ({ operationId, dimensions }) =>
        `${operationId}, p99: PlantStore Duration ${dimensions} p99 60`,
    ),
    'authorizer, p99: PlantStore Duration service authorize stage prod p99 60',
    ...operations
      .filter((each) => JSON.stringify(each.tables).includes('PutItem'))
      .map(
        ({ operationId, dimensions }) =>
          `DynamoDB (${operationId}), p99: PlantStore PutLatency ${dimensions} p99 60`,
      ),
    ...operations.flatMap(({ operationId, dimensions, metrics, clientErrors }) => [
      `Outcomes of ${operationId}, per minute`,
      `requests: PlantStore Faults ${dimensions} SampleCount 60`,
      ...Object.entries(metrics).map(
        ([label, metric]) => `${label}: PlantStore ${metric} ${dimensions} Sum 60`,
      ),
      ...clientErrors.map(
        ({ code }) => `${code}: PlantStore ClientErrors error ${code} ${dimensions} Sum 60`,
      ),
    ]),
    'Faults, per minute (objective: 1 in 1000 requests)',
    ...operations.flatMap(({ id, operationId, dimensions }) => [
      `1500: PlantStore Faults error 1500 ${dimensions} Sum 60`,
      `1599: PlantStore Faults error 1599 ${dimensions} Sum 60`,
      `failed invocations (${operationId}): AWS/Lambda Errors FunctionName ${id} Resource ${id}:live Sum 60`,
    ]),
    'authorizer faults: PlantStore Faults service authorize stage prod Sum 60',
    'Throttles and errors of the tables, per minute',
    ...tableSpecs.map(
      ({ id }) =>
        `${id}: SEARCH('{AWS/DynamoDB,TableName,Operation} TableName="${id}" MetricName=("ThrottledRequests" OR "SystemErrors")', 'Sum', 60)`,
    ),
  ]);
});

/** A widget's title, the number of its alarms, and its metrics and expressions; the label of an error is its code. */
function readableRows({
  title,
  alarms,
  yAxis,
  setPeriodToTimeRange,
  start,
  end,
  metrics = [],
}: Json): string[] {
  const axis = yAxis ? `, ${yAxis.left.label}` : '';
  const range = setPeriodToTimeRange ? `, all from ${start} to ${end}` : '';
  const count = alarms ? `: ${alarms.length}` : '';
  const rows = metrics.map((row: Json[]) => {
    const { id, label, expression, stat, period } = row.at(-1);
    const name = id ?? label.replace(/^(\d{4}) .*/, '$1');
    return [`${name}:`, ...row.slice(0, -1), expression, stat, period]
      .filter((part) => part !== undefined)
      .join(' ');
  });
  return [`${title}${count}${axis}${range}`, ...rows];
}
