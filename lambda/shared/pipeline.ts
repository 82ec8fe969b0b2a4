import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { OperationError, operationErrors } from './errors.ts';
import type { ObservedContext } from './log/observe.ts';
import { errorResponse } from './response.ts';

/** Enough to respond before the function's own timeout, whatever is pending then. */
const TIMEOUT_EARLY_MS = 500;

/** Middy for an operation: responds in time, and with an Error body to whatever a step throws. */
export const pipeline = <Event = APIGatewayProxyEvent>() =>
  middy<Event, APIGatewayProxyResult, Error, ObservedContext>({
    timeoutEarlyInMillis: TIMEOUT_EARLY_MS,
    // Only DynamoDB can be pending then: every other step ends before the event loop continues.
    timeoutEarlyResponse: () => {
      throw new OperationError(operationErrors.dynamodbFailed);
    },
  }).use(errorResponse());
