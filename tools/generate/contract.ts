import { UserError } from '@plant-store/emulator';
import { parseInt64 } from '../../lambda/shared/http/int64.ts';

export type Json = string | number | boolean | null | readonly Json[] | JsonObject;
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
 * Parses openapi.json. An int64 above 2^53 becomes an object that JSON.stringify writes with all its digits. A number
 * that JSON.parse rounds to an integer, or that is beyond the int64s, becomes NaN.
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
  if (!Number.isInteger(value)) return value;
  const exact = parseInt64(source);
  if (exact === undefined) return Number.NaN;
  return Number.isSafeInteger(value) ? value : JSON.rawJSON(`${exact}`);
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @returns the value at a JSON pointer (RFC 6901), or undefined if there is none */
export function valueAt(contract: JsonObject, pointer: string): Json | undefined {
  const steps = pointer.split('/').slice(1);
  return steps.reduce<Json | undefined>((value, step) => {
    const entries = new Map(Object.entries<Json>(Object(value)));
    return entries.get(step.replaceAll('~1', '/').replaceAll('~0', '~'));
  }, contract);
}

/** Adds keys to a JSON pointer. */
export function below(pointer: string, ...steps: readonly string[]): string {
  return [pointer, ...steps.map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1'))].join('/');
}

/**
 * Follows the $ref at a place, if there is one.
 *
 * @returns the pointer that it leads to, and the value there
 * @throws ContractError if the $ref points to nothing, or outside openapi.json
 */
export function resolve(contract: JsonObject, place: string): [pointer: string, value: Json | undefined] {
  const value = valueAt(contract, place);
  if (!isObject(value) || value.$ref === undefined) return [place, value];
  const pointer = String(value.$ref).replace(/^#/, '');
  const target = valueAt(contract, pointer);
  if (target !== undefined && pointer.startsWith('/')) return [pointer, target];
  throw new ContractError(below(place, '$ref'), `${value.$ref} does not exist in openapi.json; correct it`);
}
