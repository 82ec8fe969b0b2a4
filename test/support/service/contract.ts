import type { IncomingHttpHeaders } from 'node:http';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { listOperations } from '../../../lib/operations.ts';
import { jsonExample } from '../../../tools/contract/example-requests.ts';
import { read } from '../pages/code-blocks.ts';

export const openapi = JSON.parse(read('openapi.json'));
export const ajv = new Ajv2020({
  strict: false,
  // openapi.json contains schemas, but is none.
  validateSchema: false,
  formats: { ...fullFormats, int64: true },
});
ajv.addSchema(openapi, 'openapi.json');

const example = jsonExample();

/**
 * The first request in openapi.json with a JSON body, and the status of its success. Tests send it by default, but only
 * once to the same tables, because a second request may be an error; the others send `INVALID_BODY`.
 */
export const { template: examplePath, method: exampleMethod, status: exampleStatus } = example;
export const exampleBody = JSON.stringify(example.body);

const operation = listOperations().find(
  ({ method, path }) => method === exampleMethod && path === examplePath,
);
if (operation === undefined) throw new Error(`openapi.json has no ${exampleMethod} ${examplePath}`);

/** The operation that accepts `exampleBody`. Tests of what all operations share send their requests to it. */
export const exampleOperation = operation;

/** The request that a response belongs to; by default, the example's. */
interface Sent {
  readonly method?: string;
  readonly path?: string;
}

/** The part of a response that the contract describes. */
export interface Received {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** @throws Error if openapi.json does not describe the response, whether the function or API Gateway returned it */
export function checkAgainstContract({ status, headers, text }: Received, sent: Sent = {}): void {
  const { responses } = operationOf(sent);
  const { content, headers: documented = {} } = dereference(responses[status] ?? responses.default);
  if (content === undefined) {
    // API Gateway adds this Content-Type to a response that has none.
    if (text === '' && [undefined, 'application/json'].includes(headers['content-type'])) return;
    throw new Error(`openapi.json describes a ${status} without a body, but got ${text}`);
  }
  const { schema, examples } = content['application/json'];
  const breaches: string[] = [];
  const body = JSON.parse(text);

  if (headers['content-type'] !== 'application/json') breaches.push('Content-Type');
  if (!ajv.validate(`openapi.json${schema.$ref}`, body)) breaches.push(ajv.errorsText());
  if (
    status === 200 &&
    Object.keys(body).some((field) => !(field in dereference(schema).properties))
  ) {
    breaches.push('a field that the schema does not have');
  }
  const isExample = (name: string) => Number.parseInt(name, 10) === body.error;
  if (status !== 200 && !Object.keys(examples).some(isExample))
    breaches.push('an error code for a different status');
  if ('WWW-Authenticate' in documented !== 'www-authenticate' in headers)
    breaches.push('WWW-Authenticate');
  if ('retry-after' in headers && !('Retry-After' in documented)) breaches.push('Retry-After');

  if (breaches.length > 0) {
    throw new Error(
      `openapi.json does not describe this response (wrong: ${breaches}): ${status} ${JSON.stringify(body)}`,
    );
  }
}

/** The operation of a request. For an unknown route, this is the example's, which documents the response. */
function operationOf({ method = exampleMethod, path = examplePath }: Sent) {
  const template = Object.keys(openapi.paths).find((each) =>
    new RegExp(`^${each.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
  );
  const route = openapi.paths[template ?? examplePath];
  return route[method.toLowerCase()] ?? openapi.paths[examplePath][exampleMethod.toLowerCase()];
}

export function dereference(value: { $ref?: string }) {
  const path = value.$ref?.split('/').slice(1);
  if (path === undefined) return value;
  return path.reduce((node, key) => node[key.replaceAll('~1', '/')], openapi);
}
