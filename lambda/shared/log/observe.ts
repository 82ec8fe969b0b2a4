import type { APIGatewayAuthorizerResult, APIGatewayTokenAuthorizerEvent, Context } from 'aws-lambda';
import { type ErrorSpec, gatewayErrors } from '../errors.ts';
import { Unauthorized } from '../tokens/unauthorized.ts';
import type { RequestLog } from './request-log.ts';

export type Authorize = (event: APIGatewayTokenAuthorizerEvent) => Promise<APIGatewayAuthorizerResult>;

/** How a decision is counted. */
const COUNTED = { allowed: { AllowedRequests: 1 }, rejected: { ClientErrors: 1 }, fault: { Faults: 1 } };

/**
 * An authorizer, each of its decisions logged. API Gateway doesn't tell a TOKEN authorizer the id of the
 * API's request: a line has the invocation's own, which the access log has as `authorizerRequestId`.
 */
export const observeAuthorizer =
  (authorize: Authorize, log: RequestLog) =>
  async (event: APIGatewayTokenAuthorizerEvent, { awsRequestId: requestId }: Context) => {
    const startedAt = performance.now();
    const decided = (outcome: keyof typeof COUNTED, error?: ErrorSpec, result?: APIGatewayAuthorizerResult) =>
      log.summary({
        facts: { requestId, outcome, principal: result?.principalId, client: clientOf(result) },
        error: error?.error,
        metrics: { Faults: 0, ...COUNTED[outcome], Duration: performance.now() - startedAt },
      });
    try {
      const result = await authorize(event);
      if (isAllowed(result)) decided('allowed', undefined, result);
      else decided('rejected', gatewayErrors.forbidden, result);
      return result;
    } catch (thrown) {
      if (thrown instanceof Unauthorized) {
        decided('rejected', gatewayErrors.unauthorized);
      } else {
        decided('fault', gatewayErrors.internalError);
        log.fault(requestId, gatewayErrors.internalError.error, thrown);
      }
      throw thrown;
    }
  };

function isAllowed({ policyDocument }: APIGatewayAuthorizerResult): boolean {
  return policyDocument.Statement.every(({ Effect }) => Effect === 'Allow');
}

function clientOf(result?: APIGatewayAuthorizerResult): string | undefined {
  const client = result?.context?.client;
  return typeof client === 'string' ? client : undefined;
}
