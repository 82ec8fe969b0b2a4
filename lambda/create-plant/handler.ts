import middy from '@middy/core';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import validator from '@middy/validator';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import validateCreatePlantEvent, { int64s } from '../generated/validate-create-plant-event.js';
import { OperationError, operationErrors } from '../shared/errors.ts';
import { exactInt64s } from '../shared/exact-int64s.ts';
import {
  type Observation,
  type ObservedContext,
  observeOperation,
  observePut,
  type Success,
} from '../shared/log/observe.ts';
import type { RequestLog } from '../shared/log/request-log.ts';
import { errorResponse, jsonResponse } from '../shared/response.ts';
import { createPlant, type NewPlant, type PutPlant } from './create-plant.ts';
import { decodeUtf8, limitSize, limitStructure, requireJsonMediaType } from './request-body.ts';

/** API Gateway's event, its body parsed and validated. */
type CreatePlantEvent = Omit<APIGatewayProxyEvent, 'body'> & { body: NewPlant };

/** Enough to respond before the function's own timeout, whatever is pending then. */
const TIMEOUT_EARLY_MS = 500;

/** POST /plants: receives an API Gateway proxy event, returns 200 with a Plant or 400 with an Error; never throws. */
export const createHandler = (put: PutPlant, log: RequestLog) =>
  observeOperation(
    middy<CreatePlantEvent, APIGatewayProxyResult, Error, ObservedContext>({
      timeoutEarlyInMillis: TIMEOUT_EARLY_MS,
      // Only the put can be pending then: every other step ends before the event loop continues.
      timeoutEarlyResponse: () => {
        throw new OperationError(operationErrors.dynamodbFailed);
      },
    })
      .use(errorResponse())
      .use(requireJsonMediaType())
      .use(limitSize())
      .use(decodeUtf8())
      .use(limitStructure())
      .use(httpJsonBodyParser({ disableContentTypeCheck: true }))
      .use(exactInt64s(int64s))
      .use(validator({ eventSchema: validateCreatePlantEvent }))
      .handler(async ({ body }, { observation }) =>
        jsonResponse(200, await createPlant(body, observePut(put, observation))),
      ),
    log,
    successOf,
  );

/** A duplicate of a stored plant succeeds too, and is counted apart. */
const successOf = ({ putOutcome }: Observation): Success =>
  putOutcome === 'duplicate'
    ? { outcome: 'duplicate', counted: { DuplicateRequests: 1 } }
    : { outcome: 'created', counted: { PlantsCreated: 1 } };
