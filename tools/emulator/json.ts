export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isArray(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

/** Parses text that is known to be JSON. @throws SyntaxError if it is not */
export function parseJson(text: string): Json {
  return JSON.parse(text);
}

// `Properties` (properties.ts) reads the properties of an object. These two read a value that is not a property.

/** Empty if absent. @throws TypeError naming `path` if the value is not an object */
export function objectAt(value: Json | undefined, path: string): JsonObject {
  if (value === undefined) return {};
  if (isObject(value)) return value;
  throw mismatch(path, 'an object', value);
}

/** Empty if absent. @throws TypeError naming `path` if the value is not an array */
export function arrayAt(value: Json | undefined, path: string): readonly Json[] {
  if (value === undefined) return [];
  if (isArray(value)) return value;
  throw mismatch(path, 'an array', value);
}

export function mismatch(path: string, expected: string, value: Json): TypeError {
  return new TypeError(`${path} must be ${expected}, not ${JSON.stringify(value)}`);
}
