import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { OperationError, operationErrors } from '../shared/errors.ts';

/** Refuses a request whose Content-Type isn't `application/json`, in any letter case, parameters aside. */
export const requireJsonMediaType = (): MiddlewareObj<APIGatewayProxyEvent> => ({
  before: ({ event }) => {
    if (mediaType(event.headers) !== 'application/json') {
      throw new OperationError(operationErrors.unsupportedMediaType);
    }
  },
});

/** API Gateway hands header names on in the letter case that the client chose. */
function mediaType(headers: APIGatewayProxyEvent['headers'] | null): string | undefined {
  const header = Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === 'content-type');
  return header?.[1]?.replace(/;.*/s, '').trim().toLowerCase();
}
