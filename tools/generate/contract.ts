import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import { parseInt64 } from '../../lambda/shared/int64.ts';
import { typeNames } from './contract-ajv.ts';

export type Json = string | number | bigint | boolean | null | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

/** Thrown if openapi.json contains something unsupported. The message gives the JSON pointer, and says what to do. */
export class ContractError extends Error {
  override readonly name = 'ContractError';

  constructor(pointer: string, problem: string) {
    super(`openapi.json, at ${pointer || 'its root'}: ${problem}`);
  }
}

/**
 * Parses openapi.json without rounding: an integer that JSON.parse would round becomes a bigint.
 *
 * @throws SyntaxError if the text is not JSON
 * @throws ContractError if a $ref points to nothing
 */
export function parseContract(text: string): JsonObject {
  const contract: Json = JSON.parse(text, (_key, value, context?: { source?: string }) =>
    typeof value === 'number' ? exactNumber(value, context?.source ?? '') : value,
  );
  if (!isObject(contract)) throw new ContractError('', 'must be an object; restore the file');
  checkReferences(contract, contract, '');
  return contract;
}

function exactNumber(value: number, source: string): number | bigint {
  const integer = /^-?\d+$/.test(source) ? BigInt(source) : (parseInt64(source) ?? value);
  return integer < value || integer > value ? integer : value;
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
 * @param pointer where the $ref is
 * @returns the pointer that the $ref contains
 * @throws ContractError if the $ref points to nothing, or outside openapi.json
 */
export function targetOf(contract: JsonObject, ref: Json | undefined, pointer: string): string {
  const [, target] = typeof ref === 'string' ? (/^#(\/.*|)$/.exec(ref) ?? []) : [];
  if (target === undefined) {
    throw new ContractError(
      pointer,
      `must point into openapi.json, got ${write(ref ?? null)}; use "#/components/…"`,
    );
  }
  // If an escape is malformed, the decoded pointer points to nothing.
  const decoded = target.replaceAll(/(?:%[0-9a-f]{2})+/gi, (escapes) =>
    Buffer.from(escapes.replaceAll('%', ''), 'hex').toString(),
  );
  if (valueAt(contract, decoded) === undefined) {
    throw new ContractError(pointer, `${ref} does not exist; correct the reference, or add its target`);
  }
  return decoded;
}

/** @returns the pointer to the target of the $ref at a place or, if there is no $ref, to the place itself */
export function resolve(contract: JsonObject, place: string): string {
  const value = valueAt(contract, place);
  return isObject(value) && value.$ref !== undefined ? targetOf(contract, value.$ref, place) : place;
}

/** The keys in openapi.json whose values are data. A `$ref` in data has no meaning. */
const DATA_KEYS = ['const', 'default', 'enum', 'example', 'examples'];

function checkReferences(contract: JsonObject, value: Json, pointer: string): void {
  if (typeof value !== 'object' || DATA_KEYS.some((key) => pointer.endsWith(`/${key}`))) return;
  const entries: [string, Json][] = Object.entries(value ?? {});
  for (const [key, child] of entries) {
    if (key === '$ref') targetOf(contract, child, below(pointer, key));
    checkReferences(contract, child, below(pointer, key));
  }
}

const metaSchema = new Ajv2020();

/** @throws ContractError if the value at the pointer does not match the meta-schema of JSON Schema 2020-12 */
export function schemaAt(contract: JsonObject, pointer: string): Json {
  const schema = valueAt(contract, pointer) ?? null;
  if (schema !== null && metaSchema.validateSchema(JSON.parse(write(schema)))) return schema;
  // The first of the deepest errors is about the invalid value itself, not about a value that contains it.
  const depth = ({ instancePath }: { instancePath: string }) => instancePath.split('/').length;
  const [error] = [...(metaSchema.errors ?? [])].sort((a, b) => depth(b) - depth(a));
  const place = `${pointer}${error?.instancePath ?? ''}`;
  const rule = error === undefined ? 'must be a schema' : ruleOf(error);
  throw new ContractError(place, `${rule}, got ${write(valueAt(contract, place) ?? null)}`);
}

/** Returns what the meta-schema requires, in the same words as our other messages. */
function ruleOf({ keyword, params, message = '' }: ErrorObject): string {
  if (keyword === 'type') return `must be ${typeNames([params.type].flat())}`;
  if (keyword === 'enum') return `must be one of ${params.allowedValues.join(', ')}`;
  if (keyword === 'minimum') return `must be at least ${params.limit}`;
  if (keyword === 'exclusiveMinimum') return `must be greater than ${params.limit}`;
  if (keyword === 'minItems') return `must have at least ${params.limit} item`;
  if (keyword === 'uniqueItems') return 'must have unique items';
  return message;
}

/** Returns the value as JSON, with all digits of bigints. */
export function write(value: Json): string {
  return JSON.stringify(value, (_key, each) => (typeof each === 'bigint' ? JSON.rawJSON(`${each}`) : each));
}
