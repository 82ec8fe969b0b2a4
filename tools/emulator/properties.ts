import { arrayAt, type Json, mismatch, objectAt, stringAt, stringsAt } from './json.ts';

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
