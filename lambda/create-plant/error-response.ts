import type { MiddlewareObj } from '@middy/core';
import type { ErrorObject } from 'ajv';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { components } from '../generated/openapi.ts';
import { OperationError, operationErrors } from '../shared/errors.ts';
import { describeViolations } from './describe-violations.ts';
import { jsonResponse } from './json-response.ts';

/** Turns whatever was thrown into a 400 with an Error body. */
export const errorResponse = (): MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult> => ({
  onError: (request) => {
    const error = asOperationError(request.error);
    const { number, message } = error;
    // For the middlewares around this one.
    request.error = error;
    const body: components['schemas']['Error'] = { error: number.error, message };
    const retry = number.retryAfter === undefined ? {} : { 'Retry-After': `${number.retryAfter}` };
    request.response = jsonResponse(400, body, retry);
  },
});

function asOperationError(error: unknown): OperationError {
  if (error instanceof OperationError) return error;
  if (isValidationError(error)) {
    return new OperationError(operationErrors.notANewPlant, { detail: describeViolations(error.cause.data) });
  }
  // A bug of ours: the client is told nothing of what is inside.
  return new OperationError(operationErrors.unexpected, { cause: error });
}

function isValidationError(error: unknown): error is { cause: { data: ErrorObject[] } } {
  if (!(error instanceof Error) || typeof error.cause !== 'object' || error.cause === null) return false;
  return 'package' in error.cause && error.cause.package === '@middy/validator';
}
