import { UserError } from './errors.ts';

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

/** Also accepts a number or a boolean. @throws UserError that names the path of any other value */
export function stringAt(value: Json | undefined, path: string): string {
  if (value === undefined || typeof value === 'object') throw mismatch(path, 'a string', value);
  return String(value);
}

export function stringsAt(value: Json | undefined, path: string): Readonly<Record<string, string>> {
  const entries = Object.entries(objectAt(value, path));
  return Object.fromEntries(
    entries.map(([key, entry]) => [key, stringAt(entry, `${path}.${key}`)]),
  );
}

export function mismatch(path: string, expected: string, value: Json | undefined): UserError {
  return new UserError(`${path} must be ${expected}, got ${JSON.stringify(value)}`);
}

/**
 * Reads the properties of a JSON object. If a property is missing or has the wrong type, a UserError names its path,
 * for example `CreatePlant.Timeout must be a number, got "x"`.
 */
export class Properties {
  readonly path: string;
  readonly #value: (name: string) => Json | undefined;

  constructor(path: string, value: (name: string) => Json | undefined) {
    this.path = path;
    this.#value = value;
  }

  /** Reads the properties of an object. If the value is absent, the result has no properties. */
  static of(value: Json | undefined, path: string): Properties {
    const object = objectAt(value, path);
    return new Properties(path, (name) => object[name]);
  }

  string(name: string): string {
    return stringAt(this.#value(name), this.#at(name));
  }

  optionalString(name: string): string | undefined {
    return this.#value(name) === undefined ? undefined : this.string(name);
  }

  /** Also accepts a number written as a string, as CloudFormation does. */
  optionalNumber(name: string): number | undefined {
    const text = this.optionalString(name);
    if (text === undefined) return undefined;
    if (!/^\d+(\.\d+)?$/.test(text)) throw mismatch(this.#at(name), 'a number', text);
    return Number(text);
  }

  /** Returns an empty array if the property is absent. */
  array(name: string): readonly Json[] {
    return arrayAt(this.#value(name), this.#at(name));
  }

  /** Returns an empty object if the property is absent. */
  strings(name: string): Readonly<Record<string, string>> {
    return stringsAt(this.#value(name), this.#at(name));
  }

  object(name: string): Properties {
    return Properties.of(this.#value(name), this.#at(name));
  }

  #at(name: string): string {
    return `${this.path}.${name}`;
  }
}
