import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import type { HttpResponse } from './http.ts';

/** The contract. */
export const openapi = JSON.parse(readFileSync(join(import.meta.dirname, '../../openapi.json'), 'utf8'));
const ajv = new Ajv2020({
  strict: false,
  formats: { ...fullFormats, int64: true },
});
ajv.addSchema(openapi, 'openapi.json');

const isNewPlant = ajv.compile({ $ref: 'openapi.json#/components/schemas/NewPlant' });

/** Whether openapi.json allows a body, except for int64s that a double cannot hold. */
export function isValidNewPlant(body: object): boolean {
  return isNewPlant(body);
}

const { NewPlant } = openapi.components.schemas;

const examples: Readonly<Record<string, { readonly value: Readonly<Record<string, unknown>> }>> =
  openapi.paths['/plants'].post.requestBody.content['application/json'].examples;

/** A NewPlant that openapi.json shows as an example. */
export const examplePlant = { ...Object.values(examples)[0]?.value };

/** The fields of a NewPlant except its id, each with its rules. */
export const plantFields: readonly { name: string; required: boolean; rules: object }[] =
  Object.entries<object>(NewPlant.properties)
    .filter(([name]) => name !== 'id')
    .map(([name, rules]) => ({
      name,
      required: NewPlant.required.includes(name),
      rules: { ...dereference(rules), ...rules },
    }));

/**
 * The first field of the example that can be as large as a DynamoDB item; undefined if the contract limits the length
 * of every field.
 */
export const largeFields: readonly string[] = Object.keys(examplePlant)
  .filter((name) => isValidNewPlant({ ...examplePlant, [name]: 'x'.repeat(409_600) }))
  .slice(0, 1);

/** The request that a response belongs to; the default is `POST /plants`. */
interface Sent {
  readonly method?: string;
  readonly path?: string;
}

/** @throws Error if openapi.json does not describe a response, whichever layer returned it */
export function checkAgainstContract({ status, headers, body }: HttpResponse, sent: Sent = {}): void {
  const { responses } = operationOf(sent);
  const { content, headers: documented = {} } = dereference(responses[status] ?? responses.default);
  const { schema, examples } = content['application/json'];
  const faults: string[] = [];

  if (headers['content-type'] !== 'application/json') faults.push('Content-Type');
  if (!ajv.validate(`openapi.json${schema.$ref}`, body)) faults.push(ajv.errorsText());
  if (status === 200 && Object.keys(body).some((field) => !(field in dereference(schema).properties))) {
    faults.push('a field that a Plant does not have');
  }
  if (status !== 200 && !(String(body.error) in examples)) faults.push('an error code of another status');
  if ('WWW-Authenticate' in documented !== 'www-authenticate' in headers) faults.push('WWW-Authenticate');
  if ('retry-after' in headers && !('Retry-After' in documented)) faults.push('Retry-After');

  if (faults.length > 0) {
    throw new Error(`openapi.json has no such response (${faults}): ${status} ${JSON.stringify(body)}`);
  }
}

/** The operation of a request, or createPlant, which documents the responses to an unknown route. */
function operationOf({ method = 'POST', path = '/plants' }: Sent) {
  const template = Object.keys(openapi.paths).find((each) =>
    new RegExp(`^${each.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
  );
  return openapi.paths[template ?? '/plants'][method.toLowerCase()] ?? openapi.paths['/plants'].post;
}

function dereference(value: { $ref?: string }) {
  const path = value.$ref?.split('/').slice(1);
  return path === undefined ? value : path.reduce((node, key) => node[key], openapi);
}
