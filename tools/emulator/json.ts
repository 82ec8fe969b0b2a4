import { UserError } from './user-error.ts';

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

/** Returns `{}` if the value is absent or null. @throws UserError that names `path` if the value is not an object */
export function objectAt(value: Json | undefined, path: string): JsonObject {
  const object = value ?? {};
  if (!isObject(object)) throw mismatch(path, 'an object', value);
  return object;
}

/** Returns `[]` if the value is absent or null. @throws UserError that names `path` if the value is not an array */
export function arrayAt(value: Json | undefined, path: string): readonly Json[] {
  const array = value ?? [];
  if (!isArray(array)) throw mismatch(path, 'an array', value);
  return array;
}

/** Converts a number or a boolean to a string. @throws UserError that names the path of any other value */
export function stringAt(value: Json | undefined, path: string): string {
  if (value === undefined || typeof value === 'object') throw mismatch(path, 'a string', value);
  return String(value);
}

export function stringsAt(value: Json | undefined, path: string): Readonly<Record<string, string>> {
  const entries = Object.entries(objectAt(value, path));
  return Object.fromEntries(entries.map(([key, entry]) => [key, stringAt(entry, `${path}.${key}`)]));
}

export function mismatch(path: string, expected: string, value: Json | undefined): UserError {
  return new UserError(`${path} must be ${expected}, got ${JSON.stringify(value)}`);
}
