import { Duration } from 'aws-cdk-lib';
import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import {
  apiFunctions,
  apiMetric,
  customMetric,
  functionMetric,
  type ServiceParts,
  share,
} from '../metrics.ts';
import { runQuery } from '../saved-queries.ts';
import type { MetricAlarmSpec } from './alarm-spec.ts';

const NO_EMAIL = 'This alarm sends no email; it only rolls back deployments.';

/**
 * Covers the 5 minutes of a canary deployment, during which the new version gets a tenth of the requests. Requires at
 * least 2 faults, because a single fault can be chance.
 */
const inCanary = (of: Readonly<Record<string, Metric>>, requests: Metric) => ({
  metric: share({ of, requests, period: Duration.minutes(5), minimum: { of: 'counted', value: 2 } }),
  threshold: 0.005,
});

export function rollbackAlarms(parts: ServiceParts): readonly MetricAlarmSpec[] {
  const faults = (service: string) =>
    inCanary(
      { faults: customMetric(parts, service, 'Faults') },
      // The function logs `Faults` as 0 or 1 for every request, so the sample count is the number of requests.
      customMetric(parts, service, 'Faults', 'SampleCount'),
    );
  return [
    ...parts.operations.flatMap(({ id, operationId, functionName, function: apiFunction }) => [
      {
        name: `${id}Faults`,
        runbook: 'CreatePlantFaults',
        meaning: `In the last 5 minutes, more than 0.5% of ${operationId} requests failed because of a service fault (error 1500 or 1599).`,
        firstStep: `${runQuery('Faults')} ${NO_EMAIL}`,
        ...faults(functionName),
        rollsBack: [id],
      },
      {
        name: `${id}Errors`,
        runbook: 'CreatePlantErrors',
        meaning: `In the last 5 minutes, ${operationId} failed to start, crashed, timed out or ran out of memory in more than 0.5% of its invocations.`,
        firstStep: `${runQuery('Failed invocations')} ${NO_EMAIL}`,
        ...inCanary(
          { errors: functionMetric(apiFunction, 'Errors') },
          functionMetric(apiFunction, 'Invocations'),
        ),
        rollsBack: [id],
      },
    ]),
    {
      name: 'AuthorizeFaults',
      meaning: 'In the last 5 minutes, more than 0.5% of token checks failed because of a service fault.',
      firstStep: `${runQuery('Faults in token checks')} ${NO_EMAIL}`,
      ...faults('authorize'),
      rollsBack: ['Authorize'],
    },
    // Also detects an authorizer that cannot run. Lambda's metric `Errors` would count every rejected token too,
    // because a TOKEN authorizer rejects a token by throwing an error.
    {
      name: 'ApiServerErrors',
      meaning:
        'In the last 5 minutes, more than 0.5% of responses had a 5xx status, because the authorizer or an operation failed or could not run.',
      firstStep: `${runQuery('Server errors')} ${NO_EMAIL}`,
      ...inCanary({ serverErrors: apiMetric(parts, '5XXError') }, apiMetric(parts, 'Count')),
      // Rolls back every function, because only API Gateway notices that a function returns an invalid response.
      rollsBack: apiFunctions(parts).map(({ id }) => id),
    },
  ];
}
