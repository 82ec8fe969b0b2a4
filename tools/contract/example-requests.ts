import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ContractNode, parseContract } from './contract.ts';

export interface ExampleRequest {
  /** In uppercase. */
  readonly method: string;
  /** The path as in openapi.json, such as `/plants/{id}`. */
  readonly template: string;
  /** The path, with 1 as the value of each parameter. */
  readonly path: string;
  /** The first example of the JSON body, or an empty object if there is none; undefined if the operation has no body. */
  readonly body: unknown;
  /** The first documented status of a success. */
  readonly status: number;
}

/** Every operation with a JSON body rejects this one with 1002, so it changes nothing and can be sent often. */
export const INVALID_BODY = '[]';

/** Returns a request for each operation in the text of openapi.json, by default the project's. */
export function exampleRequests(
  openapi = readFileSync(join(import.meta.dirname, '../../openapi.json'), 'utf8'),
): readonly ExampleRequest[] {
  const paths = parseContract(openapi).child('paths').children();
  return [...paths].flatMap(([template, item]) =>
    [...item.children()].map(([method, operation]) => {
      const statuses = [...operation.child('responses').children().keys()];
      return {
        method: method.toUpperCase(),
        template,
        path: template.replaceAll(/\{.*?\}/g, '1'),
        body: exampleOf(operation.child('requestBody').resolved()),
        status: Number(statuses.find((status) => status.startsWith('2'))),
      };
    }),
  );
}

/** Returns the project's first request that has a JSON body. @throws Error if openapi.json has no example of one */
export function jsonExample(): ExampleRequest {
  const example = exampleRequests().find(({ body = {} }) => JSON.stringify(body) !== '{}');
  if (example === undefined) {
    throw new Error(
      'openapi.json has no example of a JSON body; add one, because the tests and npm run conformance send it',
    );
  }
  return example;
}

function exampleOf(request: ContractNode): unknown {
  if (request.value === undefined) return undefined;
  const media = request.child('content', 'application/json');
  const [first] = media.child('examples').children().values();
  return first?.resolved().child('value').value ?? media.child('example').value ?? {};
}
