import { Duration } from 'aws-cdk-lib';
import type { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { StageConfig } from '../../config.ts';
import { apiMetric, customMetric, type ServiceParts, share, stageMetric } from '../metrics.ts';
import { runQuery } from '../saved-queries.ts';
import { type MetricAlarmSpec, ROLL_BACK } from './alarm-spec.ts';

const PERIOD = Duration.minutes(15);

/** Detects a client that has a bug, or a version that rejects every request: rejections do not count as faults. */
const rejecting = (clientErrors: Metric, requests: Metric) => ({
  metric: share({ of: { clientErrors }, requests, period: PERIOD, minimum: { of: 'requests', value: 20 } }),
  threshold: 0.2,
});

export function clientAlarms(parts: ServiceParts, config: StageConfig): readonly MetricAlarmSpec[] {
  const { expectedRequestsPerMinute, oidc } = config;
  const revoke = oidc
    ? 'disable its client at the OpenID Connect provider; tokens already issued work until they expire.'
    : 'revoke it: run "npm run token -- revoke PRINCIPAL --stage STAGE", where PRINCIPAL is the principal that the query shows.';
  return [
    ...parts.operations.map(({ id, operationId, functionName, clientErrors }) => ({
      name: `${id}ClientErrors`,
      runbook: 'CreatePlantClientErrors',
      meaning: `In the last 15 minutes, ${operationId} rejected more than 20% of its requests (errors ${clientErrors.map(({ code }) => code).join(', ')}).`,
      firstStep: `${runQuery('Rejected plants')} If all clients have been rejected since a deployment, ${ROLL_BACK} If only one client is rejected, tell the owner of that client.`,
      ...rejecting(
        customMetric(parts, functionName, 'ClientErrors'),
        customMetric(parts, functionName, 'Faults', 'SampleCount'),
      ),
    })),
    {
      name: 'AuthorizeClientErrors',
      meaning: 'In the last 15 minutes, more than 20% of requests were rejected with 401 or 403.',
      firstStep: `${runQuery('Rejected tokens by source')} If requests from many IP addresses have been rejected since a deployment, ${ROLL_BACK} If all rejected requests come from one IP address, the token used there has probably expired or been revoked; tell its owner.`,
      ...rejecting(stageMetric(parts, 'RejectedCredentials'), apiMetric(parts, 'Count')),
    },
    {
      name: 'UnexpectedTraffic',
      meaning: `In the last 15 minutes, the API received more than ${expectedRequestsPerMinute} requests per minute on average. Possible causes: a leaked token, a client in a loop, or growth.`,
      firstStep: `${runQuery('Requests by client')} If a token has leaked, ${revoke}`,
      metric: apiMetric(parts, 'Count').with({ period: PERIOD }),
      threshold: expectedRequestsPerMinute * PERIOD.toMinutes(),
    },
  ];
}
