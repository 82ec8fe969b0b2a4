import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import type { HttpResponse } from './http.ts';

const text = readFileSync(join(import.meta.dirname, '../../openapi.json'), 'utf8');
export const openapi = JSON.parse(text);
/** Checks values against openapi.json. */
export const ajv = new Ajv2020({
  strict: false,
  formats: { ...fullFormats, int64: true },
});
ajv.addSchema(openapi, 'openapi.json');

const isNewPlant = ajv.compile({ $ref: 'openapi.json#/components/schemas/NewPlant' });

/** Whether openapi.json allows a body. The body's int64s can be bigints. */
export function isValidNewPlant(body: object): boolean {
  const rounded = Object.entries(body).map(([name, value]) => [
    name,
    typeof value === 'bigint' ? Number(value) : value,
  ]);
  return isNewPlant(Object.fromEntries(rounded));
}

const { NewPlant } = openapi.components.schemas;

const examples: Readonly<Record<string, { readonly value: Readonly<Record<string, unknown>> }>> =
  openapi.paths['/plants'].post.requestBody.content['application/json'].examples;

/** A NewPlant that openapi.json shows as an example. */
export const examplePlant = { ...Object.values(examples)[0]?.value };

/** The fields of a NewPlant except its id. */
export const plantFields = Object.entries<{ $ref?: string; format?: string }>(NewPlant.properties)
  .filter(([name]) => name !== 'id')
  .map(([name, rules]) => ({
    name,
    required: Boolean(NewPlant.required.includes(name)),
    format: dereference(rules).format,
  }));

/**
 * The first field of the example that can be as large as a DynamoDB item; empty if the contract limits the length of
 * every field.
 */
export const largeFields: readonly string[] = Object.keys(examplePlant)
  .filter((name) => isValidNewPlant({ ...examplePlant, [name]: 'x'.repeat(409_600) }))
  .slice(0, 1);

/** The request that a response belongs to; the default is `POST /plants`. */
interface Sent {
  readonly method?: string;
  readonly path?: string;
}

/** @throws Error if openapi.json does not describe the response, whether the function or API Gateway returned it */
export function checkAgainstContract({ status, headers, text }: HttpResponse, sent: Sent = {}): void {
  const { responses } = operationOf(sent);
  const { content, headers: documented = {} } = dereference(responses[status] ?? responses.default);
  const { schema, examples } = content['application/json'];
  const faults: string[] = [];
  const body = JSON.parse(text);

  if (headers['content-type'] !== 'application/json') faults.push('Content-Type');
  if (!ajv.validate(`openapi.json${schema.$ref}`, body)) faults.push(ajv.errorsText());
  if (status === 200 && Object.keys(body).some((field) => !(field in dereference(schema).properties))) {
    faults.push('a field that a Plant does not have');
  }
  if (status !== 200 && !(String(body.error) in examples))
    faults.push('an error code for a different status');
  if ('WWW-Authenticate' in documented !== 'www-authenticate' in headers) faults.push('WWW-Authenticate');
  if ('retry-after' in headers && !('Retry-After' in documented)) faults.push('Retry-After');

  if (faults.length > 0) {
    throw new Error(
      `openapi.json does not describe this response (wrong: ${faults}): ${status} ${JSON.stringify(body)}`,
    );
  }
}

/** The operation of a request. For an unknown route, this is createPlant, which documents the response. */
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
