/** createPlant without any framework: what the hand-written variant and the floor share. */
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { createPlant, type PutPlant } from '../../lambda/create-plant/create-plant.ts';
import { jsonResponse } from '../../lambda/create-plant/json-response.ts';
import { OperationError, operationErrors } from '../../lambda/errors.ts';
import { readNewPlant } from './new-plant.ts';

export const plainHandler =
  (put: PutPlant) =>
  async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
    try {
      return jsonResponse(200, await createPlant(readNewPlant(event), put));
    } catch (thrown) {
      const error =
        thrown instanceof OperationError ? thrown : new OperationError(operationErrors.unexpected);
      const { number, message } = error;
      const retry = number.retryAfter === undefined ? {} : { 'Retry-After': `${number.retryAfter}` };
      return jsonResponse(400, { error: number.error, message }, retry);
    }
  };
