import { Duration } from 'aws-cdk-lib';
import type { ErrorSpec } from '../../../lambda/shared/errors.ts';
import { apiMetric, customMetric, rejectedCredentials, type ServiceParts, share } from '../metrics.ts';
import { savedQueries } from '../saved-queries.ts';
import type { MetricAlarmSpec } from './alarm-spec.ts';

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
      meaning: `${operationId} rejected more than 20 % of its requests (${codes(clientErrors)}) for 15 minutes.`,
      firstStep: `In Logs Insights over ${operationId}'s log, run: ${savedQueries.rejectedPlants.query}. All clients: deploy the last good commit. One client: tell its owner.`,
      metric: share({
        of: { clientErrors: customMetric(parts, functionName, 'ClientErrors', 'Sum') },
        requests: customMetric(parts, functionName, 'Faults', 'SampleCount'),
        ...REJECTING,
      }),
      threshold: REJECTING_SHARE,
    })),
    {
      name: 'AuthorizeClientErrors',
      meaning: 'The credentials of more than 20 % of the requests were rejected (401 or 403) for 15 minutes.',
      firstStep: `In Logs Insights over the access log, run: ${savedQueries.rejectedTokensBySource.query}. Many sources: deploy the last good commit. One source: its token has expired or was revoked.`,
      metric: share({
        of: { clientErrors: rejectedCredentials(parts) },
        requests: apiMetric(parts, 'Count', 'Sum'),
        ...REJECTING,
      }),
      threshold: REJECTING_SHARE,
    },
    {
      name: 'UnexpectedTraffic',
      meaning: `More than ${expectedRequestsPerMinute} requests a minute for 15 minutes: a leaked token, a client in a loop, or growth.`,
      firstStep: `In Logs Insights over the access log, run: ${savedQueries.requestsByClient.query}. Revoke a token that leaked: npm run token -- revoke PRINCIPAL --stage prod`,
      metric: apiMetric(parts, 'Count', 'Sum').with({ period: PERIOD }),
      threshold: expectedRequestsPerMinute * PERIOD.toMinutes(),
    },
  ];
}

function codes(errors: readonly ErrorSpec[]): string {
  return `errors ${errors.map(({ code }) => code).join(', ')}`;
}
