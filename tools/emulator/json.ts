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

/** Parses JSON. @throws SyntaxError if the text is not JSON, or TypeError that names `path` if it is not an object */
export function parseObject(text: string, path: string): JsonObject {
  return objectAt(JSON.parse(text), path);
}

/** Returns `{}` if the value is undefined. @throws TypeError that names `path` if the value is not an object */
export function objectAt(value: Json | undefined, path: string): JsonObject {
  if (value === undefined) return {};
  if (isObject(value)) return value;
  throw mismatch(path, 'an object', value);
}

/** Returns `[]` if the value is undefined. @throws TypeError that names `path` if the value is not an array */
export function arrayAt(value: Json | undefined, path: string): readonly Json[] {
  if (value === undefined) return [];
  if (isArray(value)) return value;
  throw mismatch(path, 'an array', value);
}

/**
 * Returns an object with its numbers and booleans converted to strings; `{}` if the value is undefined.
 * @throws TypeError that names the path of any other value
 */
export function stringsAt(value: Json | undefined, path: string): Readonly<Record<string, string>> {
  const entries = Object.entries(objectAt(value, path)).map(([key, entry]) => {
    if (typeof entry === 'object') throw mismatch(`${path}.${key}`, 'a string', entry);
    return [key, String(entry)];
  });
  return Object.fromEntries(entries);
}

export function mismatch(path: string, expected: string, value: Json | undefined): TypeError {
  return new TypeError(`${path} must be ${expected}, got ${JSON.stringify(value)}`);
}
