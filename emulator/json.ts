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

/** Parses what is known to be JSON text. @throws SyntaxError */
export function parseJson(text: string): Json {
  return JSON.parse(text);
}

/** Readers of one field that is expected to have one type; absent is undefined, another type throws. */
export function textOf(value: Json | undefined, where: string): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  throw mismatch(where, 'a string', value);
}

export function numberOf(value: Json | undefined, where: string): number | undefined {
  if (value === undefined || typeof value === 'number') return value;
  // CloudFormation lets every number be written as a string.
  if (typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)))
    return Number(value);
  throw mismatch(where, 'a number', value);
}

export function objectOf(value: Json | undefined, where: string): JsonObject {
  if (value === undefined) return {};
  if (isObject(value)) return value;
  throw mismatch(where, 'an object', value);
}

export function listOf(value: Json | undefined, where: string): readonly Json[] {
  if (value === undefined) return [];
  if (isArray(value)) return value;
  throw mismatch(where, 'a list', value);
}

/** An object whose values are scalars, as strings. */
export function textsOf(value: Json | undefined, where: string): Readonly<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const [key, entry] of Object.entries(objectOf(value, where))) {
    if (typeof entry === 'object') throw mismatch(`${where}.${key}`, 'a string', entry);
    texts[key] = String(entry);
  }
  return texts;
}

export function required<T>(value: T | undefined, where: string): T {
  if (value === undefined) throw new TypeError(`${where} is missing`);
  return value;
}

function mismatch(where: string, expected: string, value: Json): TypeError {
  return new TypeError(`${where} must be ${expected}, not ${JSON.stringify(value)}`);
}
