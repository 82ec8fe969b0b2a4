import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { components } from '../../generated/openapi.ts';
import type { ErrorContext } from '../log/observe.ts';
import { asOperationError } from './middy-errors.ts';
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
