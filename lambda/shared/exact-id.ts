import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { parseInt64 } from './int64.ts';

/** A middleware that shares the text of the body with others, in Middy's own place for that. */
export type TextMiddleware = MiddlewareObj<
  APIGatewayProxyEvent,
  APIGatewayProxyResult,
  Error,
  Context,
  { text?: string }
>;

/**
 * Replaces an `id` that is an exact int64 by a bigint. JSON.parse has rounded it, so its digits are read from
 * the text. Any other id stays as it is, for the validator to reject.
 */
export const exactId = (): TextMiddleware => ({
  before: ({ event, internal }) => {
    const body: unknown = event.body;
    if (!hasId(body) || typeof body.id !== 'number') return;
    body.id = parseInt64(idDigits(String(internal.text))) ?? body.id;
  },
});

function hasId(body: unknown): body is { id: unknown } {
  return typeof body === 'object' && body !== null && 'id' in body;
}

/** What may follow a key: a colon and, if the value is a number, its digits. */
const NUMBER_VALUE = /\s*:\s*(-?\d[\d.eE+-]*)?/y;

/**
 * The digits of the top-level `id`, as they are written; of duplicate keys, the last one counts.
 *
 * @param json the text of a JSON object whose `id` is a number
 */
export function idDigits(json: string): string {
  let digits = '';
  let depth = 0;
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at];
    if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    else if (character === '"') {
      const end = endOfString(json, at);
      if (depth === 1 && isId(json.slice(at, end + 1))) {
        NUMBER_VALUE.lastIndex = end + 1;
        // Not a key but a value if no colon follows.
        const value = NUMBER_VALUE.exec(json);
        if (value !== null) digits = value[1] ?? '';
      }
      at = end;
    }
  }
  return digits;
}

/** The longest way to write `"id"`: every character escaped. */
const MAX_ID_LENGTH = '"\\u0069\\u0064"'.length;

function isId(string: string): boolean {
  return string.length <= MAX_ID_LENGTH && JSON.parse(string) === 'id';
}

/** @returns the index of the quote that ends the string that starts at `start`, or the text's length */
export function endOfString(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at += 1) {
    const character = json[at];
    if (character === '\\') at += 1;
    else if (character === '"') return at;
  }
  return json.length;
}
