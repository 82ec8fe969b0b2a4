import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { components } from '../../generated/openapi.ts';
import { OperationError, operationErrors } from '../errors.ts';
import type { ErrorContext } from '../log/observe.ts';
import { fromMiddyError } from './middy-errors.ts';
import { jsonResponse } from './response.ts';

/** Turns any thrown value into a response with an Error body, and records the error for the log. */
export const errorResponse = (): MiddlewareObj<
  APIGatewayProxyEvent,
  APIGatewayProxyResult,
  Error,
  ErrorContext
> => ({
  onError: (request) => {
    const error = asOperationError(request.error);
    request.context.observation.error = error;
    const { spec, message } = error;
    const body: components['schemas']['Error'] = { error: spec.code, message };
    const retry =
      spec.retryAfterSeconds === undefined ? {} : { 'Retry-After': `${spec.retryAfterSeconds}` };
    request.response = jsonResponse(spec.status, body, retry);
  },
});

function asOperationError(error: unknown): OperationError {
  if (error instanceof OperationError) return error;
  // Any other error is a bug. The client must not see its details.
  return fromMiddyError(error) ?? new OperationError(operationErrors.unexpected, { cause: error });
}
