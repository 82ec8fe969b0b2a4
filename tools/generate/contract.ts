import { Ajv2020 } from 'ajv/dist/2020.js';

export type Json = string | number | bigint | boolean | null | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

/** openapi.json states what cannot be generated: its place as a JSON pointer, what is wrong, and what to do. */
export class ContractError extends Error {
  override readonly name = 'ContractError';

  constructor(pointer: string, problem: string) {
    super(`openapi.json, at ${pointer || 'its root'}: ${problem}`);
  }
}

/** The keys under which openapi.json has values of any kind, not schemas. */
const DATA_KEYS = new Set(['const', 'default', 'enum', 'example', 'examples']);

/**
 * Reads openapi.json with its digits: an integer that JSON.parse would round is a bigint.
 *
 * @throws SyntaxError if it is not JSON
 * @throws ContractError if a $ref leads nowhere, or a schema is malformed
 */
export function parseContract(text: string): JsonObject {
  const contract: Json = JSON.parse(text, (_key, value, context?: { source?: string }) =>
    typeof value === 'number' ? exactNumber(value, context?.source ?? '') : value,
  );
  if (!isObject(contract)) throw new ContractError('', 'must be an object; restore it');
  checkReferences(contract, contract, '');
  checkSchemas(contract);
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
  const steps = pointer.split('/').slice(1).map(unescapeStep);
  return steps.reduce<Json | undefined>(
    (value, step) =>
      typeof value === 'object' && value !== null ? new Map(entriesOf(value)).get(step) : undefined,
    contract,
  );
}

/** A pointer one step further. */
export function below(pointer: string, ...steps: readonly (string | number)[]): string {
  return [pointer, ...steps.map((step) => `${step}`.replaceAll('~', '~0').replaceAll('/', '~1'))].join('/');
}

function unescapeStep(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~');
}

function entriesOf(value: object): [string, Json][] {
  return Object.entries(value);
}

/** @returns the pointer of a $ref to this document. @throws ContractError if it leads nowhere */
export function targetOf(contract: JsonObject, ref: Json, pointer: string): string {
  if (typeof ref !== 'string' || !/^#(\/|$)/.test(ref)) {
    throw new ContractError(pointer, `$ref ${write(ref)} is not in this document; write "#/components/…"`);
  }
  const target = decodeURIComponent(ref.slice(1));
  if (valueAt(contract, target) === undefined) {
    throw new ContractError(pointer, `$ref ${ref} leads nowhere; fix it, or add what it names`);
  }
  return target;
}

function checkReferences(contract: JsonObject, value: Json, pointer: string): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, child] of entriesOf(value)) {
    if (DATA_KEYS.has(key) && !pointer.endsWith('/properties')) continue;
    if (key === '$ref' && !pointer.endsWith('/properties')) targetOf(contract, child, below(pointer, key));
    checkReferences(contract, child, below(pointer, key));
  }
}

const metaSchema = new Ajv2020();

/** Checks each schema of the document against the meta-schema of JSON Schema 2020-12. */
function checkSchemas(contract: JsonObject): void {
  for (const [schema, pointer] of schemasOf(contract)) {
    if (metaSchema.validateSchema(JSON.parse(write(schema)))) continue;
    // The first of the deepest errors is about the value itself, not about what contains it.
    const [error] = (metaSchema.errors ?? []).toSorted(
      (a, b) => depthOf(b.instancePath) - depthOf(a.instancePath),
    );
    const place = `${pointer}${error?.instancePath}`;
    const allowed = error?.params.allowedValues;
    const expected = allowed === undefined ? error?.message : `must be one of ${allowed.join(', ')}`;
    throw new ContractError(place, `${write(valueAt(contract, place) ?? null)} ${expected}; fix it`);
  }
}

function depthOf(pointer: string): number {
  return pointer.split('/').length;
}

function schemasOf(contract: JsonObject): [Json, string][] {
  const found: [Json, string][] = [];
  const search = (value: Json, pointer: string) => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, child] of entriesOf(value)) {
      const place = below(pointer, key);
      if (key === 'schema' || pointer === '/components/schemas') found.push([child, place]);
      else if (!DATA_KEYS.has(key)) search(child, place);
    }
  };
  search(contract, '');
  return found;
}

/** JSON that keeps the digits of bigints. */
export function write(value: Json): string {
  if (typeof value === 'bigint') return `${value}`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(write).join(',')}]`;
  return `{${entriesOf(value)
    .map(([key, child]) => `${JSON.stringify(key)}:${write(child)}`)
    .join(',')}}`;
}
