import type { MiddlewareObj, Request } from '@middy/core';
import httpJsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { OperationError, operationErrors } from '../shared/errors.ts';
import { parseInt64 } from './int64.ts';

const parser = httpJsonBodyParser<APIGatewayProxyEvent>({ disableContentTypeCheck: true });

/** JSON is UTF-8 (RFC 8259 §8.1): other bytes are refused, where the parser would replace them. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Replaces the body's text by what it says. An `id` that is an exact int64 becomes a bigint; any other
 * stays as JSON.parse reads it, for the validator to refuse.
 */
export const parseJsonBody = (): MiddlewareObj<APIGatewayProxyEvent> => ({
  before: async (request) => {
    const { body, isBase64Encoded } = request.event;
    if (!body) throw new OperationError(operationErrors.notJson, { detail: 'the request has no body' });
    try {
      const text = isBase64Encoded ? utf8.decode(Buffer.from(body, 'base64')) : body;
      await parse(request);
      // The parser keeps a number's own digits from its reviver, so they are read here.
      Object.assign(request.event, { body: JSON.parse(text, exactId) });
    } catch {
      throw new OperationError(operationErrors.notJson);
    }
  },
});

// Stryker disable all: equivalent, since the second reading refuses all that the first one would.
async function parse(request: Request<APIGatewayProxyEvent>): Promise<void> {
  try {
    await parser.before?.(request);
  } catch (error) {
    // A key such as `__proto__`, refused lest it be copied somewhere. To the interface it is an unknown
    // field, allowed and ignored, and only known fields are ever copied from this body.
    if (!(error instanceof Error && error.message === 'Forbidden key in JSON body')) throw error;
  }
}
// Stryker restore all

// Stryker disable all: equivalent, since no other value than a number has digits, and no other field takes a bigint.
function exactId(key: string, value: unknown, number?: { source?: string }): unknown {
  return key === 'id' && typeof value === 'number' ? (parseInt64(String(number?.source)) ?? value) : value;
}
// Stryker restore all
