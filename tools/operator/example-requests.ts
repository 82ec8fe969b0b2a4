import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface Operation {
  readonly requestBody?: unknown;
  readonly responses?: object;
}

/** A request that openapi.json documents. */
export interface ExampleRequest {
  /** In uppercase. */
  readonly method: string;
  /** The path, with 1 as the value of each parameter. */
  readonly path: string;
  /** The first example of the JSON body, or an empty object if there is none; undefined if the operation has no body. */
  readonly body: unknown;
  /** The first documented status of a success. */
  readonly status: number;
}

/** Returns a request for each operation in the text of openapi.json, by default the project's. */
export function exampleRequests(openapi = readFileSync(OPENAPI, 'utf8')): readonly ExampleRequest[] {
  const contract: Contract = JSON.parse(openapi);
  return Object.entries(contract.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { requestBody, responses = {} }]) => ({
      method: method.toUpperCase(),
      path: path.replaceAll(/\{.*?\}/g, '1'),
      body: requestBody === undefined ? undefined : exampleOf(contract, requestBody),
      status: Number(Object.keys(responses).find((status) => status.startsWith('2'))),
    })),
  );
}

const OPENAPI = join(import.meta.dirname, '../../openapi.json');

function exampleOf(contract: Contract, requestBody: unknown): unknown {
  const media = fieldsAt(contract, requestBody, 'content', 'application/json');
  const [first] = Object.values(fieldsAt(contract, media, 'examples'));
  return fieldsAt(contract, first).value ?? media.example ?? {};
}

/** Follows keys and `$ref`s. Returns the fields of the object there; none if there is no object. */
function fieldsAt(contract: object, value: unknown, ...keys: readonly string[]): Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return {};
  const { $ref, ...fields }: Record<string, unknown> = { ...value };
  if (typeof $ref === 'string') return fieldsAt(contract, contract, ...$ref.split('/').slice(1), ...keys);
  const [key, ...others] = keys;
  return key === undefined ? fields : fieldsAt(contract, fields[key], ...others);
}
