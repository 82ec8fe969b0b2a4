import middy from '@middy/core';
import validator from '@middy/validator';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import validateCreatePlantEvent from '../generated/validate-create-plant-event.js';
import { OperationError, operationErrors } from '../shared/errors.ts';
import type { RequestLog } from '../shared/log/request-log.ts';
import { createPlant, type NewPlant, type PutPlant } from './create-plant.ts';
import { errorResponse } from './error-response.ts';
import { parseJsonBody } from './json-body.ts';
import { jsonResponse } from './json-response.ts';
import { requireJsonMediaType } from './media-type.ts';
import { type Observation, observe, observed } from './observe.ts';

/** API Gateway's event as the handler sees it, observed, parsed and validated. */
type CreatePlantEvent = Omit<APIGatewayProxyEvent, 'body'> & { body: NewPlant; observation: Observation };

/** Enough to answer when the function's own time runs out, whatever it is then waiting for. */
const TIMEOUT_EARLY_MS = 500;

/** POST /plants: an API Gateway proxy event in, 200 with a Plant or 400 with an Error out; it never throws. */
export const createHandler = (put: PutPlant, log: RequestLog) =>
  middy<CreatePlantEvent, APIGatewayProxyResult>({
    timeoutEarlyInMillis: TIMEOUT_EARLY_MS,
    timeoutEarlyResponse: () => {
      throw new OperationError(operationErrors.dynamodbFailed);
    },
  })
    .use(observe(log))
    .use(errorResponse())
    .use(requireJsonMediaType())
    .use(parseJsonBody())
    .use(validator({ eventSchema: validateCreatePlantEvent }))
    .handler(async ({ body, observation }) =>
      jsonResponse(200, await createPlant(body, observed(put, observation))),
    );
