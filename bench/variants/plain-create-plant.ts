/** createPlant without any framework: the handler of the hand-written variant. */
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { createPlant, type PutPlant } from '../../lambda/create-plant/create-plant.ts';
import { jsonResponse } from '../../lambda/create-plant/json-response.ts';
import { requiredEnv } from '../../lambda/shared/env.ts';
import { isFault, OperationError, operationErrors } from '../../lambda/shared/errors.ts';
import { requestLog } from '../../lambda/shared/log/request-log.ts';
import { readNewPlant } from './new-plant.ts';

const log = requestLog('create-plant', requiredEnv('STAGE'));

export const plainHandler =
  (put: PutPlant) =>
  async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
    const startedAt = performance.now();
    const { requestId, authorizer } = event.requestContext;
    const facts = { requestId, principal: authorizer?.principalId, client: authorizer?.client };
    let PutLatency: number | undefined;
    let repeated = false;
    const timedPut: PutPlant = async (plant) => {
      const putAt = performance.now();
      try {
        const outcome = await put(plant);
        repeated = outcome === 'duplicate';
        return outcome;
      } finally {
        PutLatency = performance.now() - putAt;
      }
    };
    const timings = () => ({ PutLatency, Duration: performance.now() - startedAt });
    try {
      const answer = jsonResponse(200, await createPlant(readNewPlant(event), timedPut));
      log.summary({
        facts: { ...facts, outcome: repeated ? 'duplicate' : 'created' },
        metrics: { ...(repeated ? { DuplicateRequests: 1 } : { PlantsCreated: 1 }), Faults: 0, ...timings() },
      });
      return answer;
    } catch (thrown) {
      const error =
        thrown instanceof OperationError ? thrown : new OperationError(operationErrors.unexpected);
      const { spec, message } = error;
      const fault = isFault(spec);
      log.summary({
        facts: { ...facts, outcome: fault ? 'fault' : 'rejected' },
        error: spec.code,
        metrics: { ...(fault ? { Faults: 1 } : { ClientErrors: 1, Faults: 0 }), ...timings() },
      });
      if (fault) log.fault(requestId, spec.code, error.cause ?? error);
      const retry =
        spec.retryAfterSeconds === undefined ? {} : { 'Retry-After': `${spec.retryAfterSeconds}` };
      return jsonResponse(400, { error: spec.code, message }, retry);
    }
  };
