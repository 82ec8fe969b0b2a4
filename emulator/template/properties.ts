import { type Json, listOf, numberOf, objectOf, required, textOf, textsOf } from '../json.ts';

/**
 * Reads the properties of one object of the template. A missing or mistyped property throws a TypeError that names
 * it by its path, for example `CreatePlant.Timeout must be a number, not "x"`.
 */
export class Properties {
  readonly path: string;
  readonly #value: (name: string) => Json | undefined;

  constructor(path: string, value: (name: string) => Json | undefined) {
    this.path = path;
    this.#value = value;
  }

  /** The properties of a value that must be an object; an absent value has none. */
  static of(value: Json | undefined, path: string): Properties {
    const object = objectOf(value, path);
    return new Properties(path, (name) => object[name]);
  }

  string(name: string): string {
    return required(this.optionalString(name), this.#at(name));
  }

  optionalString(name: string): string | undefined {
    return textOf(this.#value(name), this.#at(name));
  }

  optionalNumber(name: string): number | undefined {
    return numberOf(this.#value(name), this.#at(name));
  }

  /** Empty if absent. */
  array(name: string): readonly Json[] {
    return listOf(this.#value(name), this.#at(name));
  }

  /** Empty if absent. */
  strings(name: string): Readonly<Record<string, string>> {
    return textsOf(this.#value(name), this.#at(name));
  }

  /** Empty if absent. */
  object(name: string): Properties {
    return Properties.of(this.#value(name), this.#at(name));
  }

  #at(name: string): string {
    return `${this.path}.${name}`;
  }
}
