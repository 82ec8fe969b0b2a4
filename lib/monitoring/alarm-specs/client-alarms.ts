import { Duration } from 'aws-cdk-lib';
import type { ErrorSpec } from '../../../lambda/shared/errors.ts';
import { apiMetric, customMetric, rejectedCredentials, type ServiceParts, share } from '../metrics.ts';
import { runQuery, savedQueries } from '../saved-queries.ts';
import { type MetricAlarmSpec, ROLL_BACK } from './alarm-spec.ts';

const PERIOD = Duration.minutes(15);

/** A version that rejects every request has no faults, so these alarms show it; so does a client with a bug. */
const REJECTING = { period: PERIOD, minimum: { requests: 20 } };
const REJECTING_SHARE = 0.2;

export function clientAlarms(
  parts: ServiceParts,
  expectedRequestsPerMinute: number,
): readonly MetricAlarmSpec[] {
  return [
    ...parts.operations.map(({ id, operationId, functionName, clientErrors }) => ({
      name: `${id}ClientErrors`,
      runbook: 'CreatePlantClientErrors',
      meaning: `In the last 15 minutes, ${operationId} rejected more than 20% of its requests (${codes(clientErrors)}).`,
      firstStep: `${runQuery(savedQueries.rejectedPlants)} If all clients are rejected since a deployment, ${ROLL_BACK} If one client is, tell its owner.`,
      metric: share({
        of: { clientErrors: customMetric(parts, functionName, 'ClientErrors', 'Sum') },
        requests: customMetric(parts, functionName, 'Faults', 'SampleCount'),
        ...REJECTING,
      }),
      threshold: REJECTING_SHARE,
    })),
    {
      name: 'AuthorizeClientErrors',
      meaning: 'In the last 15 minutes, more than 20% of requests were rejected with 401 or 403.',
      firstStep: `${runQuery(savedQueries.rejectedTokensBySource)} If many sources are rejected since a deployment, ${ROLL_BACK} If one source is, its token has expired or was revoked.`,
      metric: share({
        of: { clientErrors: rejectedCredentials(parts) },
        requests: apiMetric(parts, 'Count', 'Sum'),
        ...REJECTING,
      }),
      threshold: REJECTING_SHARE,
    },
    {
      name: 'UnexpectedTraffic',
      meaning: `In the last 15 minutes, more than ${expectedRequestsPerMinute} requests a minute: a leaked token, a client in a loop, or growth.`,
      firstStep: `${runQuery(savedQueries.requestsByClient)} If a token leaked, run "npm run token -- revoke PRINCIPAL --stage STAGE".`,
      metric: apiMetric(parts, 'Count', 'Sum').with({ period: PERIOD }),
      threshold: expectedRequestsPerMinute * PERIOD.toMinutes(),
    },
  ];
}

function codes(errors: readonly ErrorSpec[]): string {
  return `errors ${errors.map(({ code }) => code).join(', ')}`;
}
