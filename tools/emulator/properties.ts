import { arrayAt, type Json, mismatch, objectAt, stringsAt } from './json.ts';

/**
 * Reads the properties of a JSON object. If a property is missing or has the wrong type, a TypeError names its path,
 * for example `CreatePlant.Timeout must be a number, got "x"`.
 */
export class Properties {
  readonly path: string;
  readonly #value: (name: string) => Json | undefined;

  constructor(path: string, value: (name: string) => Json | undefined) {
    this.path = path;
    this.#value = value;
  }

  /** Reads the properties of an object. If the value is undefined, the result has no properties. */
  static of(value: Json | undefined, path: string): Properties {
    const object = objectAt(value, path);
    return new Properties(path, (name) => object[name]);
  }

  string(name: string): string {
    const value = this.optionalString(name);
    if (value === undefined) throw mismatch(this.#at(name), 'a string', value);
    return value;
  }

  optionalString(name: string): string | undefined {
    const value = this.#value(name);
    if (value === undefined || typeof value === 'string') return value;
    throw mismatch(this.#at(name), 'a string', value);
  }

  /** Also accepts a number written as a string, as CloudFormation does. */
  optionalNumber(name: string): number | undefined {
    const value = this.#value(name);
    if (value === undefined) return undefined;
    const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
    if (typeof number === 'number' && Number.isFinite(number)) return number;
    throw mismatch(this.#at(name), 'a number', value);
  }

  /** Returns an empty array if the property is absent. */
  array(name: string): readonly Json[] {
    return arrayAt(this.#value(name), this.#at(name));
  }

  strings(name: string): Readonly<Record<string, string>> {
    return stringsAt(this.#value(name), this.#at(name));
  }

  /** If the property is absent, the result has no properties. */
  object(name: string): Properties {
    return Properties.of(this.#value(name), this.#at(name));
  }

  #at(name: string): string {
    return `${this.path}.${name}`;
  }
}
