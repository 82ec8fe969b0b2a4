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

// Readers of one value. Undefined stays undefined (or becomes empty); a value of another type throws a TypeError
// that begins with the path. `Properties` (template/properties.ts) reads the properties of a resource.

export function textOf(value: Json | undefined, path: string): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  throw mismatch(path, 'a string', value);
}

export function numberOf(value: Json | undefined, path: string): number | undefined {
  if (value === undefined || typeof value === 'number') return value;
  // CloudFormation lets every number be written as a string.
  if (typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)))
    return Number(value);
  throw mismatch(path, 'a number', value);
}

export function objectOf(value: Json | undefined, path: string): JsonObject {
  if (value === undefined) return {};
  if (isObject(value)) return value;
  throw mismatch(path, 'an object', value);
}

export function listOf(value: Json | undefined, path: string): readonly Json[] {
  if (value === undefined) return [];
  if (isArray(value)) return value;
  throw mismatch(path, 'an array', value);
}

/** An object whose values are strings, numbers or booleans, each as a string. */
export function textsOf(value: Json | undefined, path: string): Readonly<Record<string, string>> {
  const strings: Record<string, string> = {};
  for (const [key, entry] of Object.entries(objectOf(value, path))) {
    if (typeof entry === 'object') throw mismatch(`${path}.${key}`, 'a string', entry);
    strings[key] = String(entry);
  }
  return strings;
}

/** @throws TypeError if the value is undefined */
export function required<T>(value: T | undefined, path: string): T {
  if (value === undefined) throw new TypeError(`${path} is missing`);
  return value;
}

function mismatch(path: string, expected: string, value: Json): TypeError {
  return new TypeError(`${path} must be ${expected}, not ${JSON.stringify(value)}`);
}
