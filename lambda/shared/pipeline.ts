import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { OperationError, operationErrors } from './errors.ts';
import type { ObservedContext } from './log/observe.ts';
import { errorResponse } from './response.ts';

/** Time to respond before the function times out. */
const TIMEOUT_EARLY_MS = 500;

/** Middy for an operation: responds before the function times out, with an Error body if a step throws. */
export const pipeline = <Event = APIGatewayProxyEvent>() =>
  middy<Event, APIGatewayProxyResult, Error, ObservedContext>({
    timeoutEarlyInMillis: TIMEOUT_EARLY_MS,
    // Only DynamoDB can be pending: all other steps are synchronous.
    timeoutEarlyResponse: () => {
      throw new OperationError(operationErrors.dynamodbFailed);
    },
  }).use(errorResponse());
