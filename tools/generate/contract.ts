import { Ajv2020 } from 'ajv/dist/2020.js';

export type Json = string | number | bigint | boolean | null | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

/** openapi.json has what cannot be generated: its place as a JSON pointer, what is wrong, and what to do. */
export class ContractError extends Error {
  override readonly name = 'ContractError';

  constructor(pointer: string, problem: string) {
    super(`openapi.json, at ${pointer || 'its root'}: ${problem}`);
  }
}

/**
 * Reads openapi.json with its digits: an integer that JSON.parse would round is a bigint.
 *
 * @throws SyntaxError if it is not JSON
 * @throws ContractError if a $ref leads nowhere
 */
export function parseContract(text: string): JsonObject {
  const contract: Json = JSON.parse(text, (_key, value, context?: { source?: string }) =>
    typeof value === 'number' ? exactNumber(value, context?.source ?? '') : value,
  );
  if (!isObject(contract)) throw new ContractError('', 'must be an object; restore it');
  checkReferences(contract, contract, '');
  return contract;
}

function exactNumber(value: number, source: string): number | bigint {
  return /^-?\d+$/.test(source) && BigInt(source) !== BigInt(value) ? BigInt(source) : value;
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @returns what is at a JSON pointer (RFC 6901), or undefined */
export function valueAt(contract: JsonObject, pointer: string): Json | undefined {
  const steps = pointer.split('/').slice(1);
  return steps.reduce<Json | undefined>((value, step) => {
    const entries: [string, Json][] = Object.entries(Object(value));
    return new Map(entries).get(step.replaceAll('~1', '/').replaceAll('~0', '~'));
  }, contract);
}

/** A pointer some steps further. */
export function below(pointer: string, ...steps: readonly string[]): string {
  return [pointer, ...steps.map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1'))].join('/');
}

/** @returns the pointer of a $ref to this document. @throws ContractError if it leads nowhere */
export function targetOf(contract: JsonObject, ref: Json | undefined, pointer: string): string {
  const [, target] = typeof ref === 'string' ? (/^#(\/.*|)$/.exec(ref) ?? []) : [];
  if (target === undefined) {
    throw new ContractError(
      pointer,
      `$ref ${write(ref ?? null)} is not in this document; write "#/components/…"`,
    );
  }
  // A malformed escape stays as it is, and leads nowhere.
  const decoded = target.replaceAll(/(?:%[0-9a-f]{2})+/gi, decodeURIComponent);
  if (valueAt(contract, decoded) === undefined) {
    throw new ContractError(pointer, `$ref ${ref} leads nowhere; fix it, or add what it names`);
  }
  return decoded;
}

/** The keys under which openapi.json has values of any kind. */
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

/** @throws ContractError if what is at a place does not match the meta-schema of JSON Schema 2020-12 */
export function schemaAt(contract: JsonObject, pointer: string): Json {
  const schema = valueAt(contract, pointer) ?? null;
  if (schema !== null && metaSchema.validateSchema(JSON.parse(write(schema)))) return schema;
  // The first of the deepest errors is about the value itself, not about what contains it.
  const depth = ({ instancePath }: { instancePath: string }) => instancePath.split('/').length;
  const [error] = [...(metaSchema.errors ?? [])].sort((a, b) => depth(b) - depth(a));
  const place = `${pointer}${error?.instancePath ?? ''}`;
  const allowed = error?.params.allowedValues;
  const expected = allowed ? `must be one of ${allowed.join(', ')}` : error?.message?.replaceAll(',', ' or ');
  const found = write(valueAt(contract, place) ?? null);
  throw new ContractError(place, `${expected ?? 'must be a schema'}, got ${found}; fix it`);
}

/** JSON that keeps the digits of bigints. */
export function write(value: Json): string {
  return JSON.stringify(value, (_key, each) => (typeof each === 'bigint' ? JSON.rawJSON(`${each}`) : each));
}
