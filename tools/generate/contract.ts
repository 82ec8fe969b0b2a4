import { UserError } from '@plant-store/emulator';
import { parseInt64 } from '../../lambda/shared/http/int64.ts';

export type Json = string | number | bigint | boolean | null | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

/** Thrown if openapi.json contains something unsupported. The message gives the JSON pointer, and says what to do. */
export class ContractError extends UserError {
  constructor(pointer: string, problem: string) {
    super(`openapi.json, at ${pointer || 'its root'}: ${problem}`);
  }
}

/**
 * Parses openapi.json. An integer above 2^53 becomes a bigint, and a fraction that JSON.parse would round to an integer
 * becomes NaN.
 *
 * @throws UserError if the text is not JSON
 */
export function parseContract(text: string): JsonObject {
  try {
    return Object(JSON.parse(text, exactNumber));
  } catch (error) {
    throw new UserError(`openapi.json is not valid JSON: ${Object(error).message}; fix the syntax`);
  }
}

function exactNumber(_key: string, value: unknown, { source = '' }: { source?: string } = {}): unknown {
  if (typeof value !== 'number' || !Number.isInteger(value)) return value;
  const exact = parseInt64(source);
  // Beyond the int64s, every int64 compares with the rounded number as it does with the exact one.
  if (exact === undefined) return value >= -(2 ** 63) && value < 2 ** 63 ? Number.NaN : value;
  return Number.isSafeInteger(value) ? value : exact;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @returns the value at a JSON pointer (RFC 6901), or undefined if there is none */
export function valueAt(contract: JsonObject, pointer: string): Json | undefined {
  const steps = pointer.split('/').slice(1);
  return steps.reduce<Json | undefined>((value, step) => {
    const entries: [string, Json][] = Object.entries(Object(value));
    return new Map(entries).get(step.replaceAll('~1', '/').replaceAll('~0', '~'));
  }, contract);
}

/** Adds keys to a JSON pointer. */
export function below(pointer: string, ...steps: readonly string[]): string {
  return [pointer, ...steps.map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1'))].join('/');
}

/**
 * @returns the pointer to the target of the $ref at a place or, if there is no $ref, to the place itself
 * @throws ContractError if the $ref points to nothing, or outside openapi.json
 */
export function resolve(contract: JsonObject, place: string): string {
  const value = valueAt(contract, place);
  if (!isObject(value) || value.$ref === undefined) return place;
  const target = String(value.$ref).replace(/^#/, '');
  if (valueAt(contract, target) !== undefined && target.startsWith('/')) return target;
  throw new ContractError(below(place, '$ref'), `${value.$ref} does not exist in openapi.json; correct it`);
}

/** Returns the value as JSON, with all digits of bigints. */
export function write(value: Json): string {
  return JSON.stringify(value, (_key, each) => (typeof each === 'bigint' ? JSON.rawJSON(`${each}`) : each));
}
