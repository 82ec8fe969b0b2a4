import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { OperationError, operationErrors } from '../errors.ts';

/** Refuses a request whose Content-Type isn't `application/json`, in any letter case, parameters aside. */
export const requireJsonMediaType = (): MiddlewareObj<APIGatewayProxyEvent> => ({
  before: ({ event }) => {
    const mediaType = contentType(event.headers).replace(/;.*/s, '');
    if (mediaType.trim().toLowerCase() !== 'application/json') {
      throw new OperationError(operationErrors.unsupportedMediaType);
    }
  },
});

/** API Gateway hands header names on in the letter case that the client chose. */
function contentType(headers: APIGatewayProxyEvent['headers'] | null): string {
  const name = Object.keys(headers ?? {}).find((header) => header.toLowerCase() === 'content-type');
  return (name !== undefined && headers?.[name]) || '';
}
