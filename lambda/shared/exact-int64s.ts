import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { type Int64Node, restoreInt64s } from './json-text.ts';

/** A middleware that shares the text of the body with others, in Middy's own place for that. */
export type TextMiddleware = MiddlewareObj<
  APIGatewayProxyEvent,
  APIGatewayProxyResult,
  Error,
  Context,
  { text?: string }
>;

/** Makes bigints of the body's int64s. A number that is none stays as it is, for the validator to reject. */
export const exactInt64s = (nodes: readonly Int64Node[]): TextMiddleware => ({
  before: ({ event, internal }) => restoreInt64s(String(internal.text), event, nodes),
});
