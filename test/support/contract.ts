import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import type { HttpResponse } from './http.ts';
import type { Json } from './template-resources.ts';

const text = readFileSync(join(import.meta.dirname, '../../openapi.json'), 'utf8');
export const openapi = JSON.parse(text);
/** Checks values against openapi.json. */
export const ajv = new Ajv2020({
  strict: false,
  // openapi.json contains schemas, but is none.
  validateSchema: false,
  formats: { ...fullFormats, int64: true },
});
ajv.addSchema(openapi, 'openapi.json');

/** The path of the first operation, to which tests send requests by default, and an example of its body. */
export const [examplePath = ''] = Object.keys(openapi.paths);
const [firstOperation] = Object.values<Json>(openapi.paths[examplePath]);
const [firstExample] = Object.values<Json>(firstOperation.requestBody.content['application/json'].examples);
export const exampleBody: string = JSON.stringify(firstExample.value);

/** The request that a response belongs to; the default is a POST to `examplePath`. */
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
    faults.push('a field that the schema does not have');
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

/** The operation of a request. For an unknown route, this is the first one, which documents the response. */
function operationOf({ method = 'POST', path = examplePath }: Sent) {
  const template = Object.keys(openapi.paths).find((each) =>
    new RegExp(`^${each.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
  );
  return openapi.paths[template ?? examplePath][method.toLowerCase()] ?? firstOperation;
}

export function dereference(value: { $ref?: string }) {
  const path = value.$ref?.split('/').slice(1);
  return path === undefined ? value : path.reduce((node, key) => node[key], openapi);
}
