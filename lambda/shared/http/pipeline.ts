import middy from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { isCommandPending } from '../dynamodb/client.ts';
import { OperationError, operationErrors } from '../errors.ts';
import type { ObservedContext } from '../log/observe.ts';
import { errorResponse } from './response.ts';

/** The pipeline responds this long before the function would time out. */
const TIMEOUT_EARLY_MS = 500;

const timeout = new Error('timeout');

/**
 * A Middy pipeline that responds before the function times out, and returns an Error body if a step throws. It has no
 * steps of its own; json-operation.ts adds those of an operation with a JSON body.
 */
export const pipeline = <Event = APIGatewayProxyEvent>() =>
  middy<Event, APIGatewayProxyResult, Error, ObservedContext>({
    timeoutEarlyInMillis: TIMEOUT_EARLY_MS,
    timeoutEarlyResponse: () => {
      throw timeout;
    },
  })
    .use(errorResponse())
    // Runs before the `onError` of `errorResponse`: Middy runs the one added last first. The log gets the cause; clients
    // retry as if DynamoDB had failed.
    .onError((request) => {
      if (request.error !== timeout) return;
      const { functionName, observation } = request.context;
      const milliseconds = Math.round(performance.now() - observation.startedAt);
      const command = isCommandPending() ? 'a DynamoDB command' : 'no DynamoDB command';
      const cause = new Error(
        `${functionName} did not finish in ${milliseconds} ms; ${command} was pending`,
      );
      request.error = new OperationError(operationErrors.dynamodbFailed, { cause });
    });
