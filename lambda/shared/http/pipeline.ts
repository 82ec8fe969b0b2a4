import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { OperationError, operationErrors } from '../errors.ts';
import type { OperationContext } from '../log/observe.ts';
import { errorResponse } from './error-response.ts';

/** The pipeline responds this long before the function would time out. */
const TIMEOUT_EARLY_MS = 500;

/**
 * A Middy pipeline that responds before the function times out, and returns an Error body if a step throws. It has no
 * steps of its own; json-operation.ts adds those of an operation with a JSON body.
 *
 * @example
 * export const handler = observeOperation(
 *   pipeline().handler(async ({ pathParameters: path, queryStringParameters: query }) =>
 *     jsonResponse(200, await getPlant(`${path?.id}`, query?.consistent, find)),
 *   ),
 *   requestLog('get-plant', requiredEnv<FunctionEnv>('STAGE')),
 * );
 */
export const pipeline = <Event = APIGatewayProxyEvent>() =>
  middy<Event, APIGatewayProxyResult, Error, OperationContext>({
    timeoutEarlyInMillis: TIMEOUT_EARLY_MS,
    // Clients retry as if DynamoDB had failed. The log gets the cause.
    timeoutEarlyResponse: () => {
      const cause = new Error('the function did not finish in time');
      throw new OperationError(operationErrors.dynamodbFailed, { cause });
    },
  }).use(errorResponse());
