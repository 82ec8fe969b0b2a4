import { Duration } from 'aws-cdk-lib';
import { apiMetric, customMetric, functionMetric, type ServiceParts, share } from '../metrics.ts';
import { runQuery, savedQueries } from '../saved-queries.ts';
import type { MetricAlarmSpec } from './alarm-spec.ts';

/**
 * Over the five minutes of a canary, in which a version that fails for everyone fails a tenth of the requests. Two
 * faults, because one may be chance.
 */
const CANARY = { period: Duration.minutes(5), minimum: { count: 2 } };
const CANARY_SHARE = 0.005;

const NO_MAIL = 'This alarm only rolls back deployments.';

export function rollbackAlarms(parts: ServiceParts): readonly MetricAlarmSpec[] {
  const faults = (service: string) =>
    share({
      of: { faults: customMetric(parts, service, 'Faults', 'Sum') },
      // Every line has the metric, so its samples are the requests.
      requests: customMetric(parts, service, 'Faults', 'SampleCount'),
      ...CANARY,
    });
  const operationIds = parts.operations.map(({ operationId }) => operationId);
  return [
    ...parts.operations.flatMap(({ id, operationId, functionName, function: apiFunction }) => [
      {
        name: `${id}Faults`,
        runbook: 'CreatePlantFaults',
        meaning:
          'In the last five minutes, more than 0.5% of requests failed because of a service fault (error 1500 or 1599).',
        firstStep: `${runQuery(savedQueries.faults)} ${NO_MAIL}`,
        metric: faults(functionName),
        threshold: CANARY_SHARE,
        rollsBack: [operationId],
      },
      {
        name: `${id}Errors`,
        runbook: 'CreatePlantErrors',
        meaning: `In the last five minutes, ${operationId} failed to start, crashed, timed out or ran out of memory in more than 0.5% of its invocations.`,
        firstStep: `${runQuery(savedQueries.failedInvocations)} ${NO_MAIL}`,
        metric: share({
          of: { errors: functionMetric(apiFunction, 'Errors', 'Sum') },
          requests: functionMetric(apiFunction, 'Invocations', 'Sum'),
          ...CANARY,
        }),
        threshold: CANARY_SHARE,
        rollsBack: [operationId],
      },
    ]),
    {
      name: 'AuthorizeFaults',
      meaning: 'In the last five minutes, more than 0.5% of token checks failed because of a service fault.',
      firstStep: `${runQuery(savedQueries.faultsOfTokenChecks)} ${NO_MAIL}`,
      metric: faults('authorize'),
      threshold: CANARY_SHARE,
      rollsBack: ['authorize'],
    },
    // Covers an authorizer that fails to run. Lambda's Errors would also count every rejected token, because a TOKEN
    // authorizer throws to reject one.
    {
      name: 'ApiServerErrors',
      meaning:
        'In the last five minutes, more than 0.5% of responses were a 5xx: the authorizer or an operation fails to run.',
      firstStep: `${runQuery(savedQueries.serverErrors)} ${NO_MAIL}`,
      metric: share({
        of: { serverErrors: apiMetric(parts, '5XXError', 'Sum') },
        requests: apiMetric(parts, 'Count', 'Sum'),
        ...CANARY,
      }),
      threshold: CANARY_SHARE,
      // Only API Gateway notices that a function returns something that is not a response.
      rollsBack: [...operationIds, 'authorize'],
    },
  ];
}
