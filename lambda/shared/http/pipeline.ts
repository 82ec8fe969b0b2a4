import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { OperationError, operationErrors } from '../errors.ts';
import type { ObservedContext } from '../log/observe.ts';
import { errorResponse } from './response.ts';

/** The pipeline responds this long before the function would time out. */
const TIMEOUT_EARLY_MS = 500;

/** A Middy pipeline that responds before the function times out, and returns an Error body if a step throws. */
export const pipeline = <Event = APIGatewayProxyEvent>() =>
  middy<Event, APIGatewayProxyResult, Error, ObservedContext>({
    timeoutEarlyInMillis: TIMEOUT_EARLY_MS,
    // Only a DynamoDB command can be pending, because all other steps are synchronous.
    timeoutEarlyResponse: () => {
      throw new OperationError(operationErrors.dynamodbFailed);
    },
  }).use(errorResponse());
