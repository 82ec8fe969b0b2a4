import { isUtf8 } from 'node:buffer';
import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { MAX_ITEM_BYTES } from '../dynamodb/item-size.ts';
import { OperationError, operationErrors } from '../errors.ts';
import { type Int64s, restoreInt64s } from './restore-int64s.ts';

/** Enough for an item of 400 KB in which every character is written as `\uXXXX`. */
const MAX_BODY_BYTES = 2_500_000;

/** Far fewer than V8's stack has room for. The message of `notJson` names this limit. */
const MAX_DEPTH = 100;

/** Steps share the body's JSON text through Middy's `internal`, because Middy's parser replaces `event.body`. */
type BodyMiddleware = MiddlewareObj<
  APIGatewayProxyEvent,
  APIGatewayProxyResult,
  Error,
  Context,
  { json: string }
>;

/** Matches the media type in any case, with any parameters. Spaces and tabs around it are ignored (RFC 9110 §5.5). */
const JSON_MEDIA_TYPE = /^[ \t]*application\/json[ \t]*(;|$)/i;

export const requireJsonMediaType = (): BodyMiddleware => ({
  before: ({ event }) => {
    if (!JSON_MEDIA_TYPE.test(contentType(event.headers) ?? '')) {
      throw new OperationError(operationErrors.unsupportedMediaType);
    }
  },
});

/** API Gateway preserves the case of header names. If the header occurs in several spellings, the last one counts. */
function contentType(headers: APIGatewayProxyEvent['headers'] | null): string | undefined {
  return Object.entries(headers ?? {}).findLast(
    ([name]) => name.toLowerCase() === 'content-type',
  )?.[1];
}

/** Rejects a body that is larger than any item that DynamoDB can store. */
export const limitSize = (): BodyMiddleware => ({
  before: ({ event: { body, isBase64Encoded } }) => {
    const bytes = Buffer.byteLength(body ?? '', isBase64Encoded ? 'base64' : 'utf8');
    if (bytes > MAX_BODY_BYTES) throw new OperationError(operationErrors.tooLarge);
  },
});

/** Decodes the body if it is in base64, and shares its text. */
export const decodeBody = (): BodyMiddleware => ({
  before: ({ event, internal }) => {
    const { body, isBase64Encoded } = event;
    if (!body)
      throw new OperationError(operationErrors.notJson, { detail: 'the request has no body' });
    internal.json = isBase64Encoded ? decodeBase64(body) : body;
    // For the parser.
    event.body = internal.json;
    event.isBase64Encoded = false;
  },
});

function decodeBase64(body: string): string {
  const bytes = Buffer.from(body, 'base64');
  // Without this check, Node would skip characters that are not base64, and replace bytes that are not UTF-8.
  if (bytes.toString('base64') !== body || !isUtf8(bytes))
    throw new OperationError(operationErrors.notJson);
  // Does not remove a byte order mark, so the parser rejects it: JSON must not start with one (RFC 8259 §8.1).
  return bytes.toString();
}

/**
 * Rejects a body that has more outside its strings than any item needs, or too many levels of nesting. The parser calls
 * a function for every value, so 2.4 MB of `{}` would take 1.5 s of CPU time and 300 MB of memory, and a few thousand
 * levels would exceed the stack.
 */
export const limitStructure = (): BodyMiddleware => ({
  before: ({ internal }) => {
    const structure = withoutStrings(internal.json);
    if (structure.length > MAX_ITEM_BYTES) throw new OperationError(operationErrors.tooLarge);
    if (depthOf(structure) > MAX_DEPTH) throw new OperationError(operationErrors.notJson);
  },
});

/** Returns what is outside the strings of a JSON text, and their quotes. */
function withoutStrings(json: string): string {
  const withoutEscapes = json.replaceAll(/\\./gs, '');
  return withoutEscapes.replaceAll(/"[^"]*"?/g, '""');
}

function depthOf(structure: string): number {
  let depth = 0;
  let deepest = 0;
  for (const character of structure) {
    if (character === '{' || character === '[') depth += 1;
    if (character === '}' || character === ']') depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

/** Turns the body's int64s into bigints, and rejects numbers that JSON.parse rounded to int64s. */
export const restoreBodyInt64s = (int64s: Int64s): BodyMiddleware => ({
  before: ({ event, internal }) => {
    Object.assign(event, { body: restoreInt64s(internal.json, event.body, int64s) });
  },
});
