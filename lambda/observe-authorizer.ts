import type { APIGatewayAuthorizerResult, APIGatewayTokenAuthorizerEvent, Context } from 'aws-lambda';
import { gatewayErrors } from './errors.ts';
import type { RequestLog } from './request-log.ts';

export type Authorize = (event: APIGatewayTokenAuthorizerEvent) => Promise<APIGatewayAuthorizerResult>;

/**
 * An authorizer, each of its decisions logged. API Gateway doesn't tell a TOKEN authorizer the id of the
 * API's request: a line has the invocation's own, which the access log has as `authorizerRequestId`.
 */
export const observeAuthorizer =
  (authorize: Authorize, log: RequestLog) =>
  async (event: APIGatewayTokenAuthorizerEvent, { awsRequestId: requestId }: Context) => {
    const startedAt = performance.now();
    const duration = () => ({ Duration: performance.now() - startedAt });
    const refused = (error: number, facts: Record<string, string | undefined> = {}) =>
      log.summary({
        facts: { requestId, ...facts, outcome: 'refused' },
        error,
        metrics: { Refusals: 1, Faults: 0, ...duration() },
      });
    try {
      const result = await authorize(event);
      const facts = { principal: result.principalId, client: clientOf(result) };
      if (isAllowed(result)) {
        log.summary({
          facts: { requestId, ...facts, outcome: 'allowed' },
          metrics: { Allows: 1, Faults: 0, ...duration() },
        });
      } else refused(gatewayErrors.forbidden.error, facts);
      return result;
    } catch (thrown) {
      if (thrown instanceof Error && thrown.message === 'Unauthorized') {
        refused(gatewayErrors.unauthorized.error);
      } else {
        const { error } = gatewayErrors.failed;
        log.summary({
          facts: { requestId, outcome: 'fault' },
          error,
          metrics: { Faults: 1, ...duration() },
        });
        log.fault(requestId, error, thrown);
      }
      throw thrown;
    }
  };

function isAllowed({ policyDocument }: APIGatewayAuthorizerResult): boolean {
  return policyDocument.Statement.every(({ Effect }) => Effect === 'Allow');
}

function clientOf({ context }: APIGatewayAuthorizerResult): string | undefined {
  return typeof context?.client === 'string' ? context.client : undefined;
}
